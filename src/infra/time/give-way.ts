/** Lets requests pass between the steps of work that can wait. */
import type { Db } from '../database/database.ts';

/** Resolves when no request is in progress, and after `msMax` at the latest. Returns for how many milliseconds it waited. */
export type GiveWay = (msMax: number) => Promise<number>;

/** The longest total wait for requests in a piece of work: one of them may wait for its locks. */
const PATIENCE_MS = 50;

/** Gives way between the steps of one piece of work, in total up to 50 ms. */
export function patiently(giveWay: GiveWay): () => Promise<void> {
  let leftMs = PATIENCE_MS;
  return async () => {
    if (leftMs > 0) leftMs -= await giveWay(leftMs);
  };
}

/**
 * A handle for one piece of work, which locks nothing that requests often wait for. After each statement it waits for the requests in
 * progress, in total up to 50 ms. Requests and background work share the processors and the event loop, so that work during a request slows
 * each of the request's statements (bench `remind-buyers`).
 */
export function givingWay(db: Db, giveWay: GiveWay): Db {
  const letRequestsPass = patiently(giveWay);
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await letRequestsPass();
      return result;
    },
  });
}
