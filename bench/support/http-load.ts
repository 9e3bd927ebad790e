/**
 * The load generator: a process that keeps some connections busy with one request each.
 *
 * It is our own because a general one (autocannon was tried) cuts off what is under way when the time is up, so that the
 * orders it made cannot be counted against the orders it saw acknowledged, and tells latencies in whole milliseconds, of
 * which most of ours take none. Both sides of a ratio are loaded by the same process.
 */
import { HttpConnection } from './http-connection.ts';
import { filler, type Ids, idAt } from './ids.ts';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface HttpLoadJob {
  baseUrl: string;
  method: 'GET' | 'POST';
  /** `{id}` and the other names of `ids`, here and in the body, stand for an id that changes from request to request. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  ids: Ids<'id'>;
  /** What every answer must be; it must contain the request's `id`, too. */
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

/** Requests written out but for their ids, all of one length: writing one costs next to nothing. */
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
