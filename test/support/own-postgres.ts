/** An operator's own PostgreSQL server, without anything of Tradeline in it. */
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { clusterOf } from '#infra/embedded-postgres/locations';
import { FAST, query } from './embedded-postgres-processes.ts';
import { temporaryFolder } from './program.ts';

export interface OwnPostgres {
  /** SQL as the superuser, in any database. */
  sql(text: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Creates a login with these attributes, such as `createrole`, and returns its password. */
  addLogin(name: string, attributes?: string): Promise<string>;
  addDatabase(name: string, owner: string): Promise<void>;
  url(login: string, password: string, database: string): string;
  /** The folder of its socket, and the port in its name. */
  socket: { host: string; port: number };
  /** The folder of its data. */
  cluster: string;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = join(temporaryFolder(), 'own');
  const postgres = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: FAST });
  const superuser = postgres.endpoint('superuser');
  const sql: OwnPostgres['sql'] = (text, database = 'postgres') => query({ ...superuser, database }, text);
  for (const gone of ['database tradeline', 'role tradeline_owner', 'role tradeline_service'])
    await sql(`drop ${gone}`);
  await sql('grant connect on database postgres to public');
  return {
    sql,
    async addLogin(name, attributes = '') {
      const password = `password of ${name}: @/?#%`;
      await sql(`create role ${name} login ${attributes} password ${pg.escapeLiteral(password)}`);
      return password;
    },
    async addDatabase(name, owner) {
      await sql(`create database ${name} owner ${owner}`);
    },
    url(login, password, database) {
      const at = new URLSearchParams({ host: superuser.host, port: String(superuser.port) });
      return `postgres://${login}:${encodeURIComponent(password)}@/${database}?${at}`;
    },
    socket: { host: superuser.host, port: superuser.port },
    cluster: clusterOf(dataDir),
    stop: () => postgres.stop(),
  };
}
