/**
 * Telling other processes of a commit. NOTIFY in the transaction of a write would make all writers commit one after the other, so
 * the notice has a transaction of its own, after the commit, and is shared by the commits of some milliseconds.
 */
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';

const CHANNEL = 'tradeline_commits';
const CONNECT_TIMEOUT_MS = 5_000;
/** Workers poll as well, so that a notice may be missed. */
const CONNECT_AGAIN_MS = 1_000;

/** Wakes the listeners of this database. A notice that is lost with the database costs a worker the wait for its next poll. */
export async function notifyOfCommit(db: Db): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, '')`.execute(db);
}

export interface CommitListener {
  close(): Promise<void>;
}

/** Calls `onCommit` at each notice, on a connection of its own, which is opened again for as long as it takes. */
export function listenForCommits(connection: pg.ClientConfig, onCommit: () => void): CommitListener {
  let client: pg.Client | null = null;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connect = async () => {
    const opened = new pg.Client({
      ...connection,
      application_name: 'tradeline',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client = opened;
    const connectAgain = () => {
      if (isClosed || client !== opened) return;
      client = null;
      again = setTimeout(connect, CONNECT_AGAIN_MS);
    };
    opened.on('notification', onCommit);
    // Without a listener, the end of the connection would end the process.
    opened.on('error', connectAgain);
    opened.on('end', connectAgain);
    try {
      await opened.connect();
      await opened.query(`listen ${CHANNEL}`);
      onCommit();
    } catch {
      connectAgain();
      await opened.end().catch(() => {});
    }
  };
  const connecting = connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(again);
      // Not by a farewell, which a server that stands still does not acknowledge: nothing is under way here.
      client?.connection.stream.destroy();
      await connecting;
    },
  };
}
