/** One connection of the owner of the schema, for work that the service may not do: its statements take as long as they need. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Db, typeParser } from './database.ts';
import type { DB } from './schema.ts';

/** What streams need beside the queries: the connection that the transaction of `db` is on. */
export interface OwnerConnection {
  db: Db;
  client: pg.Client;
}

/** Closes the connection after `work`. What is not committed by then is rolled back by PostgreSQL. */
export async function withOwnerConnection<Result>(
  owner: pg.ClientConfig,
  work: (connection: OwnerConnection) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...owner, types: { getTypeParser: typeParser } });
  // The query that was running rejects.
  client.on('error', () => {});
  await client.connect();
  const only = { query: client.query.bind(client), release() {} };
  const pool = { connect: async () => only, end: async () => {} } as unknown as pg.Pool;
  try {
    return await work({ db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), client });
  } finally {
    await client.end();
  }
}
