/**
 * Ends connections whose server does not answer: it is frozen, or its machine is gone without closing the connection. A server that works
 * ends a statement itself, at its own time limit, which is shorter.
 */
import type pg from 'pg';

/** The error of a statement whose server does not answer. Whether a commit took place is not known. */
export class ServerSilent extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database server did not answer.');
  }
}

/**
 * Ends the text of a statement after which its transaction may take as long as it needs. The statement itself lifts the limits
 * of the server.
 */
export const UNLIMITED = '-- unlimited';

export interface AnswerWatch {
  /** Call it for each new connection, and the function that it returns with the text of each statement before it is sent. */
  watch(client: pg.PoolClient): (text: string) => void;
  /** Ends all connections that are still open. */
  endAll(): void;
}

/** Counts ticks instead of time, so that a process that was suspended itself does not take that for silence of the server. */
const TICKS = 18;

interface Watched {
  client: pg.PoolClient;
  /** Ticks since the current statement was sent; null while none is running. */
  ticks: number | null;
  isUnlimited: boolean;
}

/** Rejects a statement that is not answered within `limitMs` at the latest, and ends its connection. */
export function watchAnswers(limitMs: number): AnswerWatch {
  const open = new Set<Watched>();
  const end = ({ client }: Watched) => client.connection.stream.destroy(new ServerSilent());
  const timer = setInterval(() => {
    for (const each of open) {
      if (each.ticks === null || each.isUnlimited) continue;
      each.ticks++;
      if (each.ticks >= TICKS) end(each);
    }
  }, limitMs / TICKS);
  timer.unref();
  return {
    watch(client) {
      const watched: Watched = { client, ticks: null, isUnlimited: false };
      open.add(watched);
      client.on('drain', () => {
        watched.ticks = null;
      });
      client.on('end', () => open.delete(watched));
      return (text) => {
        watched.ticks = 0;
        if (text.endsWith(UNLIMITED)) watched.isUnlimited = true;
        else if (text === 'commit' || text === 'rollback') watched.isUnlimited = false;
      };
    },
    endAll() {
      clearInterval(timer);
      for (const each of open) end(each);
    },
  };
}
