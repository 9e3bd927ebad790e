/** The connection to PostgreSQL: a pool behind Kysely, every statement named and prepared. */
import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from './schema.ts';

/** The database, or a transaction on it: queries take either. */
export type Db = Kysely<DB>;

/** What the service acts as: neither superuser nor owner of the schema. */
export const SERVICE_ROLE = 'tradeline_service';

export interface Database {
  db: Db;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  connectionsMax: number;
  /** Acts as this role from the first statement on; left out where the login is that role already. */
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
 * A connection keeps its plans. One that was made while a table had a page or two would read it whole, and still do so at
 * 100,000 rows, until PostgreSQL next takes its statistics (measured: 10 ms instead of 1.5 for a single order). What has
 * no index to go by is read whole all the same. That choice makes a plan look costly, and so worth compiling: it is not.
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
  // An idle connection that breaks (a database restart) is replaced by the pool; without a listener it would end the process.
  let isClosing = false;
  pool.on('error', (error) => {
    if (!isClosing) options.onIdleError?.(error);
  });
  pool.on('connect', (client) => {
    // The pool listens only while a connection is idle. In the midst of work the work is told; here nobody needs to be.
    client.on('error', () => {});
    nameStatements(client);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    close() {
      isClosing = true;
      return db.destroy();
    },
  };
}

/**
 * Errors that say the database is away, not that a request is wrong: SQLSTATE classes 08 (connection), 57P (shutdown),
 * 53300 (too many connections), lock and statement time-outs, and what the socket and the pool report.
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

/** Two transactions met and one must run again: serialization failure, or deadlock. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return code === '40001' || code === '40P01';
}

// A statement's name is its text's hash. The bound keeps a server connection's memory flat should texts ever multiply
// (list filters combine); what comes after it runs unnamed, only slower.
const STATEMENT_NAMES_MAX = 2_000;
const statementNames = new Map<string, string>();

/**
 * At the end of a statement's text: plan it for the tables as they are now, each time. Else a connection goes on with
 * the plan it once made, and those of a new installation were made for empty tables: until PostgreSQL next takes its
 * statistics, claiming a batch among 100,000 deliveries took 6 s instead of 20 ms (measured). For large batches, where
 * planning (about 1 ms) is little beside the work.
 */
export const UNPREPARED = '-- unprepared';

function statementName(text: string): string | undefined {
  if (text.endsWith(UNPREPARED)) return undefined;
  const known = statementNames.get(text);
  if (known || statementNames.size >= STATEMENT_NAMES_MAX) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  statementNames.set(text, name);
  return name;
}

/** Kysely hands pg a text and its values; named, the server parses and plans it once a connection. */
function nameStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) =>
    typeof first === 'string' && Array.isArray(values)
      ? query({ text: first, values, name: statementName(first) }, ...rest)
      : query(first, values, ...rest)) as typeof client.query;
}

const INT8 = 20;

const parseInt8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit an exact integer`);
  return value;
};

/** int8 (money, unix seconds, counts) as an exact number, or an error: never a rounded one. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format as 'text');
}
