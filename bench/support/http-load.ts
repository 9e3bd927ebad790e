/**
 * The load generator: a process that keeps some connections busy with one request each.
 *
 * It is our own because a general one (autocannon was tried) cuts off what is under way when the time is up, so that the
 * orders it made cannot be counted against the orders it saw acknowledged, and tells latencies in whole milliseconds, of
 * which most of ours take none. Both sides of a ratio are loaded by the same process.
 */
import { HttpConnection } from './http-connection.ts';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface HttpLoadJob {
  baseUrl: string;
  method: 'GET' | 'POST';
  /** `{id}` in here and in the body stands for the id of the request. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The ids taken: `count` of them from `first` on, then again from the start. */
  ids: { prefix: string; first: number; count: number };
  /** What every answer must be; it must contain the request's id, too. */
  status: number;
  connections: number;
  durationMs: number;
}

const ID_DIGITS = 9;

/** Ids of one prefix are equally long, so that every request has the same length. */
export function idOf(prefix: string, number: number): string {
  return prefix + String(number).padStart(ID_DIGITS, '0');
}

async function load(job: HttpLoadJob): Promise<Measurement> {
  const requestOf = requestMaker(job);
  const { prefix, first, count } = job.ids;
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => HttpConnection.open(job.baseUrl)),
  );
  let sent = 0;
  try {
    return await measure({ durationMs: job.durationMs, loops: job.connections }, async (loop) => {
      const id = idOf(prefix, first + (sent++ % count));
      const answer = await (connections[loop] as HttpConnection).send(requestOf(id));
      if (answer.status === job.status && answer.body.includes(id)) return;
      throw new Error(`${job.method} ${job.path} of ${id} answered ${answer.status}: ${answer.body}`);
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

function requestMaker({ baseUrl, method, path, headers, body = '', ids }: HttpLoadJob) {
  const fill = (text: string, id: string) => text.replaceAll('{id}', id);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(fill(body, idOf(ids.prefix, 0)))}`]),
  ];
  const pieces = `${head.join('\r\n')}\r\n\r\n${body}`.split('{id}');
  return (id: string) => pieces.join(id);
}

if (import.meta.main) answerJobs(load);
