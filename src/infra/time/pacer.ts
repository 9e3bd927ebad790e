/** Keeps work that can wait from holding up requests. */
import type { Db } from '../database/database.ts';
import type { Clock } from './clock.ts';

/** Resolves when no request is in progress, and after `msMax` at the latest. Returns for how many milliseconds it waited. */
export type GiveWay = (msMax: number) => Promise<number>;

export interface Pacer {
  /** Runs a piece of work, then rests if requests are being served. Rejects if the work does. `restsPerWork` overrides the pacer's. */
  run<Result>(work: () => Promise<Result>, restsPerWork?: number): Promise<Result>;
  /**
   * A handle for one piece of work. After each statement it waits for the requests in progress, in total up to 50 ms. Requests and
   * background work share the processors and the event loop, so that work during a request slows each of the request's statements
   * (bench `remind-buyers`).
   */
  givingWay(db: Db): Db;
}

/** Never rests, nor gives way. */
export const UNPACED: Pacer = { run: (work) => work(), givingWay: (db) => db };

export interface PacerOptions {
  clock: Pick<Clock, 'elapsedMs'>;
  /** Whether requests arrived recently. */
  isServing(): boolean;
  giveWay: GiveWay;
  /** The length of a rest as a multiple of the piece of work before it: with 3, work takes a quarter of the time. */
  restsPerWork: number;
}

/** A piece of work that took unusually long does not cause a long rest. */
const REST_MS_MAX = 500;
/** The longest total wait for requests in a piece of work: one of them may wait for its locks. */
const PATIENCE_MS = 50;

/** Gives way between the steps of one piece of work, in total up to 50 ms. */
export function patiently(giveWay: GiveWay): () => Promise<void> {
  let leftMs = PATIENCE_MS;
  return async () => {
    if (leftMs > 0) leftMs -= await giveWay(leftMs);
  };
}

export function createPacer({ clock, isServing, giveWay, restsPerWork: usual }: PacerOptions): Pacer {
  return {
    async run(work, restsPerWork = usual) {
      const startedAtMs = clock.elapsedMs();
      const result = await work();
      const restMs = Math.min((clock.elapsedMs() - startedAtMs) * restsPerWork, REST_MS_MAX);
      if (isServing()) await new Promise((resolve) => setTimeout(resolve, restMs));
      return result;
    },
    givingWay(db) {
      const letRequestsPass = patiently(giveWay);
      return db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          await letRequestsPass();
          return result;
        },
      });
    },
  };
}
