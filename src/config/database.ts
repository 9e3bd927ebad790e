/** Settings of the database. */
import { StartRefused } from '#kernel/start-refused';
import type { Reader } from './reader.ts';
import { integer, postgresUrl } from './values.ts';

export interface DatabaseSettings {
  /** Null for the embedded PostgreSQL. */
  databaseUrl: string | null;
  databaseOwnerUrl: string | null;
  /** The URL that bypasses the transaction-mode pooler of `databaseUrl`; null without a pooler. */
  databaseDirectUrl: string | null;
  databaseConnections: number;
}

export function readDatabase({ optional, required }: Reader): DatabaseSettings {
  const urlOf = (name: string, example: string) => optional(name, postgresUrl, `a URL such as ${example}`);
  const databaseUrl = urlOf('DATABASE_URL', 'postgres://user:password@host:5432/database');
  const databaseOwnerUrl = urlOf('DATABASE_OWNER_URL', 'postgres://owner:password@host:5432/database');
  const databaseDirectUrl = urlOf('DATABASE_DIRECT_URL', 'postgres://user:password@host:5432/database');
  if (databaseDirectUrl !== null && databaseUrl === null)
    throw new StartRefused(
      'DATABASE_URL must be set if DATABASE_DIRECT_URL is: it leads to the pooler, and DATABASE_DIRECT_URL bypasses it.',
    );
  const connections = 'a whole number from 2 to 1000';
  return {
    databaseUrl,
    databaseOwnerUrl,
    databaseDirectUrl,
    databaseConnections: required('DATABASE_CONNECTIONS', integer(2, 1_000), connections),
  };
}
