/** The first connection to an operator's PostgreSQL. Each fault is reported in one sentence. */
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { type SessionSettings, withSettings } from './session-settings.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** A URL and the name of the setting that contains it. */
export interface NamedUrl {
  setting: string;
  url: string;
}

/** Runs `work` with a connection. `settings` are those of the session; null sets none, as a pooler requires. Throws StartRefused. */
export async function withClient<T>(
  { setting, url }: NamedUrl,
  settings: SessionSettings | null,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connection = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const client = new pg.Client(settings === null ? connection : withSettings(connection, settings));
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // The message names host and port, or the login. It never contains the password.
    throw new StartRefused(`Cannot connect to the database of ${setting}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** One line. A host name with several addresses fails with an AggregateError of one error per address. */
export function reasonOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors
    .map((each) => (each as Error).message.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, ''))
    .join(', ');
}
