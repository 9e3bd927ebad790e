/**
 * The database ceiling of one statement per request: a tight loop over `pg` that sends prepared inserts, one after the other, on each of
 * several connections.
 */
import pg from 'pg';
import { filler, type Ids } from './ids.ts';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface InsertJob {
  connection: pg.ClientConfig;
  connections: number;
  durationMs: number;
  /** The prepared statement and its values. In a text, `{id}` and the other names of `ids` are replaced by an id. */
  statement: string;
  values: (string | number)[];
  ids: Ids;
}

async function insert(job: InsertJob): Promise<Measurement> {
  const values = job.values.map((value) =>
    typeof value === 'string' ? filler(value, job.ids) : () => value,
  );
  const clients = Array.from({ length: job.connections }, () => new pg.Client(job.connection));
  try {
    for (const client of clients) await client.connect();
    let sent = 0;
    return await measure({ durationMs: job.durationMs, loops: clients.length }, async (loop) => {
      const number = sent++;
      const { rowCount } = await (clients[loop] as pg.Client).query({
        name: 'insert',
        text: job.statement,
        values: values.map((valueAt) => valueAt(number)),
      });
      if (rowCount !== 1) throw new Error(`insert ${number} wrote ${rowCount} rows`);
    });
  } finally {
    for (const client of clients) await client.end();
  }
}

if (import.meta.main) answerJobs(insert);
