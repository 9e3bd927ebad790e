/** The settings of each session of the service, and how a connection sets them. */
import type pg from 'pg';

/** Settings under their PostgreSQL names. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Enforced by the server, which ends the statement without ending the connection. */
const STATEMENT_TIMEOUT_MS = 8_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * A connection keeps its plans until PostgreSQL next collects statistics. A plan made for a table of two pages scans it
 * sequentially, and still does at 100,000 rows (measured: 10 ms instead of 1.5 ms for one row). Without a usable index
 * PostgreSQL scans sequentially anyway, at a cost estimate that would trigger JIT compilation for nothing.
 */
const PLANNING = { enable_seqscan: 'off', jit: 'off' };

/** @param timeoutFactor Multiplies the time limits. */
export function serviceSettings(timeoutFactor = 1): SessionSettings {
  const scaled = (ms: number) => String(Math.round(ms * timeoutFactor));
  return {
    ...PLANNING,
    statement_timeout: scaled(STATEMENT_TIMEOUT_MS),
    lock_timeout: scaled(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: scaled(IDLE_IN_TRANSACTION_TIMEOUT_MS),
  };
}

/** The settings of a session that owns the schema, also if its login has those of the service. */
export const OWNER_SETTINGS: SessionSettings = {
  role: 'none',
  enable_seqscan: 'on',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** The connection with these settings for its session, which override those that it already has. */
export function withSettings(connection: pg.ClientConfig, settings: SessionSettings): pg.ClientConfig {
  const added = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const joined = (options: string | null | undefined) => [options ?? '', ...added].join(' ').trim();
  const { connectionString } = connection;
  if (connectionString === undefined) return { ...connection, options: joined(connection.options) };
  // Options in a URL take precedence over those outside it.
  const [address, query = ''] = connectionString.split('?', 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  parameters.set('options', joined(parameters.get('options')));
  return { ...connection, connectionString: `${address}?${parameters}` };
}
