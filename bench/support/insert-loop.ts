/**
 * The database ceiling of one statement a request: a tight loop over `pg` that sends one prepared insert on each of some
 * connections, and does nothing else.
 */
import pg from 'pg';
import { idOf } from './http-load.ts';
import { type Measurement, measure } from './measure.ts';
import { answerJobs } from './part.ts';

export interface InsertJob {
  connection: pg.ClientConfig;
  connections: number;
  durationMs: number;
  /** The prepared statement, and its values; `{id}` stands for the id of the row. */
  statement: string;
  values: unknown[];
  ids: { prefix: string; first: number };
}

async function insert(job: InsertJob): Promise<Measurement> {
  const clients = Array.from({ length: job.connections }, () => new pg.Client(job.connection));
  try {
    for (const client of clients) await client.connect();
    let sent = 0;
    return await measure({ durationMs: job.durationMs, loops: clients.length }, async (loop) => {
      const id = idOf(job.ids.prefix, job.ids.first + sent++);
      const values = job.values.map((value) => (value === '{id}' ? id : value));
      const { rowCount } = await (clients[loop] as pg.Client).query({
        name: 'insert',
        text: job.statement,
        values,
      });
      if (rowCount !== 1) throw new Error(`the insert of ${id} wrote ${rowCount} rows`);
    });
  } finally {
    for (const client of clients) await client.end();
  }
}

if (import.meta.main) answerJobs(insert);
