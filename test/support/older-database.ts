/** A database in the state of an earlier release, for tests of migrations of existing rows. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '#infra/database/migrate';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface OlderDatabase {
  /** A connection as the owner of the schema. */
  client: pg.Client;
  /** A connection that does not check foreign keys. */
  unchecked: pg.Client;
  /** Runs the remaining migrations, like a start, and returns their names. */
  migrate(): Promise<string[]>;
  /** Runs the remaining migrations, even if referenced rows are missing. */
  migrateUnchecked(): Promise<string[]>;
  drop(): Promise<void>;
}

/** A new database with the first `count` migrations. */
export async function olderDatabase(name: string, count: number): Promise<OlderDatabase> {
  const { superuser, owner } = inject('postgres');
  const admin = new pg.Client(superuser);
  const client = new pg.Client({ ...owner, database: name });
  const withoutReferences = { ...superuser, database: name, options: '-c session_replication_role=replica' };
  const unchecked = new pg.Client(withoutReferences);
  await admin.connect();
  await admin.query(`create database ${name} owner tradeline_owner`);
  await client.connect();
  await unchecked.connect();
  const at = { dbClient: client, dir: MIGRATIONS, migrationsTable: 'schema_migrations', logger: QUIET };
  await runner({ ...at, direction: 'up', count });
  return {
    client,
    unchecked,
    migrate: () => migrate({ ...owner, database: name }, () => {}),
    migrateUnchecked: () => migrate(withoutReferences, () => {}),
    async drop() {
      await unchecked.end();
      await client.end();
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
}
