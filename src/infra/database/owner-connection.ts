/** One connection of the owner of the schema, for work that the service may not do. Its statements have no time limit. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Db, typeParser } from './database.ts';
import type { DB } from './schema.ts';

/** The connection that the transaction of `db` runs on, for streams. */
export interface OwnerConnection {
  db: Db;
  client: pg.Client;
}

/** Runs `work` and closes the connection. PostgreSQL rolls back what is not committed by then. */
export async function withOwnerConnection<Result>(
  owner: pg.ClientConfig,
  work: (connection: OwnerConnection) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...owner, types: { getTypeParser: typeParser } });
  // The running query rejects.
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
