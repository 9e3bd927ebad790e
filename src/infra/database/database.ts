/** The connection to PostgreSQL: a pool behind Kysely, every statement named and prepared. */
import { createHash } from 'node:crypto';
import { SpanKind, trace } from '@opentelemetry/api';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { tracer } from '../tracing.ts';
import type { DB } from './schema.ts';

/** The database or a transaction. Queries accept both. */
export type Db = Kysely<DB>;

/** The database role of the service: neither a superuser nor the owner of the schema. */
export const SERVICE_ROLE = 'tradeline_service';

/** Connections of a pool, and requests that wait for one. */
export interface Connections {
  used: number;
  idle: number;
  waiting: number;
}

export interface Database {
  db: Db;
  connections(): Connections;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  connectionsMax: number;
  /** The role to switch to on connecting. Omit it if the login already has the role. */
  role?: string;
  onIdleError?: (error: Error) => void;
  /** Multiplies the time limits; 1 by default. For tests beside other work. */
  timeoutFactor?: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * A connection keeps its plans until PostgreSQL next collects statistics. A plan made for a table of two pages scans it
 * sequentially, and still does at 100,000 rows (measured: 10 ms instead of 1.5 ms for one row). Without a usable index
 * PostgreSQL scans sequentially anyway, at a cost estimate that would trigger JIT compilation for nothing.
 */
const PLANNING = { enable_seqscan: 'off', jit: 'off' };

export function openDatabase(options: DatabaseOptions): Database {
  const scaled = (ms: number) => Math.round(ms * (options.timeoutFactor ?? 1));
  const pool = new pg.Pool({
    ...options.connection,
    max: options.connectionsMax,
    connectionTimeoutMillis: scaled(CONNECT_TIMEOUT_MS),
    idleTimeoutMillis: 30_000,
    application_name: 'tradeline',
    statement_timeout: scaled(STATEMENT_TIMEOUT_MS),
    lock_timeout: scaled(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: scaled(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    types: { getTypeParser: typeParser },
    options: Object.entries({ ...PLANNING, ...(options.role && { role: options.role }) })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // The pool replaces an idle connection that breaks (a database restart). Without a listener the error ends the process.
  let isClosing = false;
  const statementNames: StatementNames = new Map();
  pool.on('error', (error) => {
    if (!isClosing) options.onIdleError?.(error);
  });
  pool.on('connect', (client) => {
    // The pool listens only to idle connections. In use, the pending query rejects; the error event needs no handling.
    client.on('error', () => {});
    nameStatements(client, statementNames);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close() {
      isClosing = true;
      return db.destroy();
    },
  };
}

/**
 * Whether the error means that the database is unavailable, not that the request is wrong: SQLSTATE classes 08
 * (connection) and 57P (shutdown), 53300 (too many connections), lock and statement timeouts, socket and pool errors.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(08...|57P0.|57014|53300|55P03|25P03|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/.test(
      code,
    ) ||
    /Connection terminated|timeout exceeded when trying to connect|is not queryable|Cannot use a pool after/.test(
      error.message,
    )
  );
}

/** Whether the transaction must run again: serialization failure or deadlock. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return code === '40001' || code === '40P01';
}

// A statement is named by the hash of its text. The limit bounds the memory of a server connection, because list filters
// combine into many texts; further statements run unnamed, which is slower.
const STATEMENT_NAMES_MAX = 2_000;

/**
 * Ends the text of a statement that is planned at every run instead of prepared. Prepared plans of a new installation
 * are made for empty tables: until PostgreSQL next collects statistics, claiming a batch among 100,000 rows took 6 s
 * instead of 20 ms (measured). For large batches, where planning (about 1 ms) costs little in comparison.
 */
export const UNPREPARED = '-- unprepared';

/**
 * Call it before a transaction writes many rows. The connection keeps the plans that check foreign keys, and one that was made
 * for a hundred rows may read all rows of a platform for each new one: nothing replaces it before the transaction ends.
 */
export async function discardPlans(db: Db): Promise<void> {
  await sql`discard plans`.execute(db);
}

type StatementNames = Map<string, string>;

function statementName(statementNames: StatementNames, text: string): string | undefined {
  if (text.endsWith(UNPREPARED)) return undefined;
  const known = statementNames.get(text);
  if (known || statementNames.size >= STATEMENT_NAMES_MAX) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  statementNames.set(text, name);
  return name;
}

/** Names the statements that Kysely sends, so that the server parses and plans each once per connection. */
function nameStatements(client: pg.PoolClient, statementNames: StatementNames): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (first: unknown, ...rest: unknown[]) => tracedQuery(first, () => send(first, ...rest));
  client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) =>
    typeof first === 'string' && Array.isArray(values)
      ? query({ text: first, values, name: statementName(statementNames, first) }, ...rest)
      : query(first, values, ...rest)) as typeof client.query;
}

/** A span for a statement of a traced request. The text has no values: they are parameters. */
function tracedQuery(query: unknown, send: () => unknown): unknown {
  if (trace.getActiveSpan() === undefined) return send();
  const text = typeof query === 'string' ? query : ((query as { text?: string } | null)?.text ?? '');
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes });
  const answer = send();
  const end = () => span.end();
  if (answer instanceof Promise) answer.then(end, end);
  else end();
  return answer;
}

const INT8 = 20;

const parseInt8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit an exact integer`);
  return value;
};

/** Parses int8 (money, Unix seconds, counts) into an exact number, or throws RangeError. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format as 'text');
}
