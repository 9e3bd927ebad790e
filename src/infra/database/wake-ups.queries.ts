/**
 * Notifies other processes of a commit. NOTIFY inside a writing transaction would make all writers commit one after the other, so the
 * notification is a separate transaction after the commit, shared by the commits of a few milliseconds.
 */
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';

const CHANNEL = 'tradeline_commits';
const CONNECT_TIMEOUT_MS = 5_000;
/** A missed notification is harmless, because workers poll as well. */
const CONNECT_AGAIN_MS = 1_000;

/** Wakes the listeners of this database. If a notification is lost with the database, a worker waits for its next poll. */
export async function notifyOfCommit(db: Db): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, '')`.execute(db);
}

export interface CommitListener {
  close(): Promise<void>;
}

/** Calls `onCommit` for each notification. Uses its own connection, and reopens it until that succeeds. */
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
      // Closes without the protocol's goodbye, which a server that hangs does not acknowledge. No statement is running here.
      client?.connection.stream.destroy();
      await connecting;
    },
  };
}
