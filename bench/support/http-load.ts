/**
 * The load generator: a process that keeps connections busy with one request each.
 *
 * We wrote it because autocannon aborts requests in progress at the end, so that stored and acknowledged orders cannot be
 * compared, and because it measures in whole milliseconds, while most of our requests take less than one. The same process
 * loads both sides of a ratio.
 */
import { HttpConnection } from './http-connection.ts';
import { filler, type Ids, idAt } from './ids.ts';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface HttpLoadJob {
  baseUrl: string;
  method: 'GET' | 'POST';
  /** `{id}` and the other names of `ids`, here and in the body, are replaced by the next id in each request. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  ids: Ids<'id'>;
  /** The expected status. Every response must also contain the `id` of its request. */
  status: number;
  connections: number;
  durationMs: number;
}

async function load(job: HttpLoadJob): Promise<Measurement> {
  const requestOf = requestMaker(job);
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => HttpConnection.open(job.baseUrl)),
  );
  let sent = 0;
  try {
    return await measure({ durationMs: job.durationMs, loops: job.connections }, async (loop) => {
      const number = sent++;
      const id = idAt(job.ids.id, number);
      const answer = await (connections[loop] as HttpConnection).send(requestOf(number));
      if (answer.status === job.status && answer.body.includes(id)) return;
      throw new Error(`${job.method} ${job.path} of ${id} answered ${answer.status}: ${answer.body}`);
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Prepares requests of equal length, complete except for their ids, so that building one costs almost nothing. */
function requestMaker({ baseUrl, method, path, headers, body = '', ids }: HttpLoadJob) {
  const bodyOf = filler(body, ids);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(bodyOf(0))}`]),
  ];
  return filler(`${head.join('\r\n')}\r\n\r\n${body}`, ids);
}

if (import.meta.main) answerJobs(load);
