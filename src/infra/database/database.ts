/** The connection to PostgreSQL: a pool behind Kysely, every statement named and prepared. */
import { createHash } from 'node:crypto';
import { SpanKind, trace } from '@opentelemetry/api';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { tracer } from '../tracing.ts';
import { ServerSilent, UNLIMITED, watchAnswers } from './answer-watch.ts';
import { LOST_NODE, type NodeWatch, watchNodes } from './lost-node.ts';
import type { DB } from './schema.ts';
import { serviceSettings, withSettings } from './session-settings.ts';

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

/** A pooler in transaction mode: each transaction runs on one of its connections, which other clients use before and after it. */
export interface Pooler {
  /** Whether it keeps a prepared statement for a client. */
  keepsStatements: boolean;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  connectionsMax: number;
  /** The role to switch to on connecting. Omit it if the login already has the role. */
  role?: string;
  /** Set it if `connection` leads to a pooler in transaction mode. The login must have the settings of the service. */
  pooler?: Pooler | null;
  /** Whether the rows of different platforms are on different machines, because Citus distributes the tables. */
  isCluster?: boolean;
  onIdleError?: (error: Error) => void;
  /** Multiplies the time limits; 1 by default. For tests on a busy machine. */
  timeoutFactor?: number;
}

// With these limits, a request is answered within 10 s if the server hangs: it waits for a statement or for a connection.
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the server's own statement timeout. */
const ANSWER_TIMEOUT_MS = 9_000;
/** A server that hangs does not acknowledge that a connection is closed. */
const CLOSE_TIMEOUT_MS = 2_000;

export function openDatabase(options: DatabaseOptions): Database {
  const { pooler = null, role, timeoutFactor = 1 } = options;
  const settings = { ...serviceSettings(timeoutFactor), ...(role && { role }) };
  const connection = pooler ? options.connection : withSettings(options.connection, settings);
  const scaled = (ms: number) => Math.round(ms * timeoutFactor);
  const pool = new pg.Pool({
    ...connection,
    max: options.connectionsMax,
    connectionTimeoutMillis: scaled(CONNECT_TIMEOUT_MS),
    idleTimeoutMillis: 30_000,
    application_name: 'tradeline',
    types: { getTypeParser: typeParser },
  });
  // The pool replaces an idle connection that breaks (a database restart). Without a listener the error ends the process.
  let isClosing = false;
  const answers = watchAnswers(scaled(ANSWER_TIMEOUT_MS));
  const statementNames: StatementNames = pooler?.keepsStatements === false ? null : new Map();
  const generation: Generation = { number: 0 };
  pool.on('error', (error) => {
    if (!isClosing) options.onIdleError?.(error);
  });
  pool.on('connect', (client) => {
    // The pool listens only to idle connections. In use, the pending query rejects; the error event needs no handling.
    client.on('error', () => {});
    prepareStatements(client, statementNames, {
      generation,
      onSend: answers.watch(client),
      nodes: options.isCluster ? watchNodes(client) : null,
    });
  });
  const dialect = options.isCluster ? new ClusterDialect({ pool }) : new PostgresDialect({ pool });
  const db = new Kysely<DB>({ dialect });
  return {
    db,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      isClosing = true;
      const end = setTimeout(answers.endAll, scaled(CLOSE_TIMEOUT_MS));
      await db.destroy();
      clearTimeout(end);
      answers.endAll();
    },
  };
}

class ClusterAdapter extends PostgresAdapter {}

class ClusterDialect extends PostgresDialect {
  override createAdapter() {
    return new ClusterAdapter();
  }
}

/** Whether the rows of different platforms are on different machines, for the database and for its transactions. */
export const isCluster = (db: Db): boolean => db.getExecutor().adapter instanceof ClusterAdapter;

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
    /Connection terminated|timeout exceeded when trying to connect|is not queryable|Cannot use a pool after|driver has already been destroyed/.test(
      error.message,
    ) ||
    LOST_NODE.test(error.message)
  );
}

/** Whether the server did not answer for as long as a request waits for it. */
export function isServerSilent(error: unknown): boolean {
  return (
    error instanceof ServerSilent ||
    (error instanceof Error &&
      /connection timeout$|timeout exceeded when trying to connect/.test(error.message))
  );
}

/** Whether the transaction must run again: serialization failure, deadlock, or a statement that was prepared for another schema. */
export function isRetryable(error: unknown): boolean {
  return isRefusedBy(error, '40001') || isRefusedBy(error, '40P01') || isPlanOutdated(error);
}

const FAILED_TRANSACTION = '25P02';
const isRefusedBy = (error: unknown, code: string) => (error as { code?: string } | null)?.code === code;

/**
 * Whether a migration has added a column to what a prepared statement returns. Many other errors have the same code, and the text is in the
 * language of the server.
 */
const isPlanOutdated = (error: unknown) =>
  isRefusedBy(error, '0A000') && (error as { routine?: string }).routine === 'RevalidateCachedQuery';

// A statement is named by the hash of its text. The limit bounds the memory of a server connection, because list filters
// combine into many texts; further statements run unnamed, which is slower.
const STATEMENT_NAMES_MAX = 2_000;

/**
 * Ends the text of a statement that is planned at every run instead of prepared. Prepared plans of a new installation are made for empty
 * tables: until PostgreSQL next collects statistics, claiming a batch among 100,000 rows took 6 s instead of 20 ms (measured). Use it for
 * large batches, for which planning (about 1 ms) costs little.
 */
export const UNPREPARED = '-- unprepared';

/**
 * Call it before a transaction writes many rows. The connection keeps the plans that check foreign keys. A plan that was made for a hundred
 * rows may read all rows of a platform for each new row, and nothing replaces it before the transaction ends.
 */
export async function discardPlans(db: Db): Promise<void> {
  await sql`discard plans`.execute(db);
}

/** Lifts the time limits of statements and of waits for locks for the rest of the transaction. */
export async function liftTimeLimits(transaction: Db): Promise<void> {
  await sql`
    select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)
    ${sql.raw(UNLIMITED)}`.execute(transaction);
}

/** Null if statements have no names and are planned at every run. */
type StatementNames = Map<string, string> | null;

/**
 * A part of each statement's name. It changes after a migration has changed the result of a statement, so that all connections prepare them
 * again.
 */
interface Generation {
  number: number;
}

function statementName(statementNames: StatementNames, text: string): string | undefined {
  if (statementNames === null || text.endsWith(UNPREPARED)) return undefined;
  const known = statementNames.get(text);
  if (known || statementNames.size >= STATEMENT_NAMES_MAX) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  statementNames.set(text, name);
  return name;
}

interface StatementWatch {
  generation: Generation;
  /** Called with the text of each statement. */
  onSend: (text: string) => void;
  /** Null without a cluster. */
  nodes: NodeWatch | null;
}

/** Names the statements that Kysely sends, so that the server parses and plans each once per connection. */
function prepareStatements(
  client: pg.PoolClient,
  statementNames: StatementNames,
  { generation, onSend, nodes }: StatementWatch,
): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (first: unknown, ...rest: unknown[]) => tracedQuery(first, () => send(first, ...rest));
  // Without a callback, pg assigns one to the query. V8 allocates a function that is assigned to a property among the old objects, and
  // keeps the answer that it refers to until the next collection of old objects.
  const answerTo = (text: string, values: unknown[]) =>
    new Promise((resolve, reject) => {
      const name = statementName(statementNames, text);
      const sendAs = (of: number, onError: (error: Error) => void) => {
        const statement = { text, values, name: name && of > 0 ? `${name}/${of}` : name };
        send(statement, (error: Error | null, answer: unknown) => (error ? onError(error) : resolve(answer)));
      };
      const sentAs = generation.number;
      sendAs(sentAs, (error) => {
        if (!isPlanOutdated(error)) return reject(nodes?.explain(error) ?? error);
        // Another connection may have noticed first.
        generation.number = Math.max(generation.number, sentAs + 1);
        // A transaction that has failed refuses the statement, and runs again.
        sendAs(generation.number, (again) => reject(isRefusedBy(again, FAILED_TRANSACTION) ? error : again));
      });
    });
  client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
    if (typeof first !== 'string' || !Array.isArray(values)) return query(first, values, ...rest);
    onSend(first);
    nodes?.begin();
    return tracedQuery(first, () => answerTo(first, values));
  }) as typeof client.query;
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
export function typeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format as 'text');
}
