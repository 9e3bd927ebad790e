/** A process that keeps connections busy with searches, and looks for the intended company in each result. */
import { HttpConnection } from './http-connection.ts';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface SearchJob {
  baseUrl: string;
  apiKey: string;
  /** Sent in turn, then again from the first. */
  searches: { path: string; idMeant: string }[];
  connections: number;
  durationMs: number;
}

export interface SearchMeasurement extends Measurement {
  /** Number of searches with the intended company in their results. */
  found: number;
}

async function load(job: SearchJob): Promise<SearchMeasurement> {
  const { searches, connections: count, durationMs } = job;
  const head = `Host: ${new URL(job.baseUrl).host}\r\nAuthorization: Bearer ${job.apiKey}\r\nAccept: application/json`;
  const connections = await Promise.all(
    Array.from({ length: count }, () => HttpConnection.open(job.baseUrl)),
  );
  let sent = 0;
  let found = 0;
  try {
    const measurement = await measure({ durationMs, loops: count }, async (loop) => {
      const search = searches[sent++ % searches.length] as SearchJob['searches'][number];
      const connection = connections[loop] as HttpConnection;
      const answer = await connection.send(`GET ${search.path} HTTP/1.1\r\n${head}\r\n\r\n`);
      if (answer.status !== 200)
        throw new Error(`GET ${search.path} answered ${answer.status}: ${answer.body}`);
      if (answer.body.includes(search.idMeant)) found++;
    });
    return { ...measurement, found };
  } finally {
    for (const connection of connections) connection.close();
  }
}

if (import.meta.main) answerJobs(load);
