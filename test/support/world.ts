/** A separate world for each test file: a fresh database and a server on a free port, reached like a client would. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { readSettings, type Settings } from '#config';
import { type Database, type DatabaseOptions, openDatabase } from '#infra/database/database';
import { type SessionSettings, withSettings } from '#infra/database/session-settings';
import { statementsOf } from '#infra/database/statements-of';
import { inTransaction } from '#infra/database/transaction';
import { listenForCommits } from '#infra/database/wake-ups.queries';
import { createVault } from '#infra/secrets/vault';
import { type Clock, systemClock } from '#infra/time/clock';
import type { Environment } from '#kernel/api-key';
import {
  createPlatform,
  issueApiKey,
  type NewApiKey,
  type NewPlatform,
  type PlatformRow,
} from '#modules/platforms';
import { startServer } from '../../src/app.ts';
import type { Installation } from '../../src/installation.ts';
import { cloneTemplate, dropOnNodes, isOnCluster } from './cluster.ts';
import { slowness } from './patience.ts';

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be.
  body: any;
  text: string;
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** A key other than the world's; null sends none. */
  key?: string | null;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';

export interface World {
  baseUrl: string;
  /** The address of the metrics; null without the setting. */
  metricsUrl: string | null;
  platform: PlatformRow;
  apiKey: string;
  /** The installation of the server, for work that no operation does, such as seeding the demo story. */
  installation: Installation;
  /** The sandbox's clock, which a test may set. */
  clock: Clock & { set(unixSeconds: number): void };
  send(method: Method, path: string, more?: RequestOptions): Promise<Reply>;
  get(path: string, more?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, more?: RequestOptions): Promise<Reply>;
  put(path: string, body?: unknown, more?: RequestOptions): Promise<Reply>;
  delete(path: string, more?: RequestOptions): Promise<Reply>;
  /** SQL as the owner of the schema, to read stored rows and to skip delivery times. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  addPlatform(platform?: Partial<NewPlatform>): Promise<{ platform: PlatformRow; apiKey: string }>;
  addKey(options?: Partial<NewApiKey>): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Settings by the names of their environment variables. */
  settings?: Record<string, string>;
  platform?: Partial<NewPlatform>;
  /** Settings of PostgreSQL for the sessions of the server, but not for those of the test. */
  serverSession?: SessionSettings;
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const endpoints = inject('postgres');
  const database = await cloneTemplate();
  const settings: Settings = readSettings({
    PORT: '0',
    TRADELINE_MASTER_KEY: randomBytes(32).toString('base64'),
    TRADELINE_LOG_LEVEL: 'error',
    // No limit, because most tests use one company many times.
    TRADELINE_COMPANY_APPLICATIONS_PER_HOUR: '0',
    ...options.settings,
  });
  const connection = { ...endpoints.service, database };
  const opened = openDatabase(sessionsOf(connection));
  const owner = ownerOf(database);
  const vault = createVault(settings.masterKey as Buffer);
  const clock = settableClock();
  const { db } = opened;
  const listen = (onCommit: () => void) => listenForCommits(connection, onCommit);
  const installation = { settings, ...opened, owner: { ...endpoints.owner, database }, listen, vault, clock };
  const serving = openForServer(options, connection);
  const { stop, ...urls } = await startServer({ ...installation, ...serving });

  const environment: Environment = settings.environment;
  let platformsMade = 0;
  const addPlatform = async (platform: Partial<NewPlatform> = {}) => {
    const code = platform.code ?? `platform-${++platformsMade}`;
    const made = await inTransaction(db, (transaction) =>
      createPlatform(transaction, vault, clock.now(), {
        code,
        name: `The platform ${code}`,
        country: 'DE',
        currency: 'EUR',
        language: 'EN',
        ...platform,
      }),
    );
    if (!made) throw new Error(`The platform ${code} exists already.`);
    return {
      platform: made,
      apiKey: await issueApiKey(db, made.platform_id, clock.now(), { name: 'test', environment }),
    };
  };
  const first = await addPlatform(options.platform);

  const send = (method: Method, path: string, more: RequestOptions = {}) =>
    request(urls.baseUrl + path, method, { key: first.apiKey, ...more });

  return {
    ...urls,
    platform: first.platform,
    apiKey: first.apiKey,
    installation,
    clock,
    send,
    get: (path, more) => send('GET', path, more),
    post: (path, body, more) => send('POST', path, { ...more, ...(body !== undefined && { body }) }),
    put: (path, body, more) => send('PUT', path, { ...more, ...(body !== undefined && { body }) }),
    delete: (path, more) => send('DELETE', path, more),
    sql: async (text, values) => (await runOn(owner, text, values)).rows as never,
    addPlatform,
    addKey: (options) =>
      issueApiKey(db, first.platform.platform_id, clock.now(), { name: 'test', environment, ...options }),
    async close() {
      await stop();
      for (const each of [opened, serving]) await each?.close();
      await owner.end();
      await dropOnCluster(database);
    },
  };
}

const sessionsOf = (connection: pg.ClientConfig): DatabaseOptions => ({
  ...{ connection, connectionsMax: 10, isCluster: isOnCluster(), timeoutFactor: slowness() },
});

/** Undefined if the server shares the connections of the test. */
function openForServer({ serverSession }: WorldOptions, connection: pg.ClientConfig): Database | undefined {
  return serverSession && openDatabase(sessionsOf(withSettings(connection, serverSession)));
}

/** Runs one statement with values, or several without. */
async function runOn(owner: pg.Pool, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  // A cluster passes the text of a schema change to its nodes, where it must be one statement.
  const [first = text, ...rest] = isOnCluster() && values === undefined ? statementsOf(text) : [text];
  if (rest.length === 0) return owner.query(first, values);
  const client = await owner.connect();
  try {
    let result = await client.query(first);
    for (const statement of rest) result = await client.query(statement);
    return result;
  } finally {
    // Closing the connection ends a failed transaction.
    client.release(true);
  }
}

function ownerOf(database: string): pg.Pool {
  // A test disables triggers to forge rows that they would refuse.
  const ofCluster = isOnCluster() && { options: '-c citus.enable_unsafe_triggers=on' };
  const pool = new pg.Pool({ ...inject('postgres').owner, ...ofCluster, database, max: 2 });
  // A connection that is closing when its database is dropped gets the server's message. The pool passes it on, even after its end.
  pool.on('error', () => {});
  return pool;
}

/** The cluster of `npm run test:citus` is kept after the run. */
async function dropOnCluster(database: string): Promise<void> {
  if (isOnCluster()) await dropOnNodes(inject('postgres').nodes, database);
}

async function request(
  url: string,
  method: Method,
  { body, headers = {}, key = null }: RequestOptions,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && {
        'content-type': Buffer.isBuffer(body) ? 'application/pdf' : 'application/json',
      }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? (body as string) : JSON.stringify(body),
    }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  };
}

function settableClock(): World['clock'] {
  let fixed: number | null = null;
  return {
    now: () => fixed ?? systemClock.now(),
    elapsedMs: systemClock.elapsedMs,
    set(unixSeconds) {
      fixed = unixSeconds;
    },
  };
}
