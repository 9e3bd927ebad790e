/** A process that sends requests at a fixed rate, whether or not earlier ones have been answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { filler, type Ids } from './ids.ts';
import { answerJobs } from './part.ts';

export interface PacedRequest {
  method: 'GET' | 'POST';
  /** `{id}` and the other names of `ids`, here and in the body, are replaced by the next id in each request. */
  path: string;
  body?: string;
  ids: Ids<'id'>;
  status: number;
}

export interface PacedJob {
  baseUrl: string;
  apiKey: string;
  /** Sent in turn. */
  requests: PacedRequest[];
  perSecond: number;
  durationMs: number;
}

export interface PacedMeasurement {
  /** From the instant at which a request should have been sent to its whole answer. */
  tookMs: number[];
}

const CONNECTIONS = 64;

async function load({ baseUrl, apiKey, requests, ...pace }: PacedJob): Promise<PacedMeasurement> {
  const { perSecond, durationMs } = pace;
  const pool = new Pool(baseUrl, { connections: CONNECTIONS });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const prepared = requests.map(({ path, body, ids, ...rest }) => ({
    ...rest,
    pathOf: filler(path, ids),
    bodyOf: body === undefined ? undefined : filler(body, ids),
  }));
  const count = Math.floor((durationMs / 1_000) * perSecond);
  const startedAt = performance.now();
  const sendOne = async (nth: number): Promise<number> => {
    const dueAt = startedAt + (nth * 1_000) / perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    const request = prepared[nth % prepared.length] as (typeof prepared)[number];
    const number = Math.floor(nth / prepared.length);
    const { method, pathOf, bodyOf, status } = request;
    const body = bodyOf?.(number);
    const answer = await pool.request({ method, path: pathOf(number), headers, ...(body && { body }) });
    const text = await answer.body.text();
    if (answer.statusCode === status) return performance.now() - dueAt;
    throw new Error(`${method} ${pathOf(number)} answered ${answer.statusCode}: ${text}`);
  };
  try {
    return { tookMs: await Promise.all(Array.from({ length: count }, (_, nth) => sendOne(nth))) };
  } finally {
    await pool.close();
  }
}

if (import.meta.main) answerJobs(load);
