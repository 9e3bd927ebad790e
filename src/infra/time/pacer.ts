/** Keeps work that can wait from holding up requests: it rests while the process serves some. */
import type { Clock } from './clock.ts';
import { type KeptApart, NOT_KEPT_APART } from './keep-apart.ts';

export interface Pacer {
  /** Runs a piece of work, then rests if requests are served. Fails as the work does. */
  run<Result>(work: () => Promise<Result>, pace?: Pace): Promise<Result>;
}

/** How a piece of work differs from the others of a pacer. */
export interface Pace {
  /** Replaces that of the pacer. */
  restsPerWork?: number;
  /** Whether it waits for the work from which the pacer keeps it apart. */
  isKeptApart?: boolean;
}

/** Never rests. */
export const UNPACED: Pacer = { run: (work) => work() };

export interface PacerOptions {
  clock: Pick<Clock, 'elapsedMs'>;
  /** Whether requests came lately. */
  isServing(): boolean;
  /** How many times as long as a piece of work took it rests: with 3, work takes a quarter of the time. */
  restsPerWork: number;
  /** For the pieces that are kept apart from other work. */
  apart?: KeptApart;
}

/** A piece that took longer than usual is no reason to stand still. */
const REST_MS_MAX = 500;

export function createPacer({ clock, isServing, apart = NOT_KEPT_APART, ...usual }: PacerOptions): Pacer {
  return {
    async run(work, { restsPerWork = usual.restsPerWork, isKeptApart = false } = {}) {
      const kind = isKeptApart ? apart : NOT_KEPT_APART;
      await kind.whenAlone();
      const startedAtMs = clock.elapsedMs();
      const result = await kind.run(work);
      const restMs = Math.min((clock.elapsedMs() - startedAtMs) * restsPerWork, REST_MS_MAX);
      if (isServing()) await new Promise((resolve) => setTimeout(resolve, restMs));
      return result;
    },
  };
}
