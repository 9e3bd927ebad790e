import type { Server } from 'node:http';
import type { Clock } from '#infra/time/clock';

/** For so long after a request, more are to be expected. */
const SERVING_MS = 250;

/** Tells background work whether the process serves requests: then it rests. */
export interface ServingWatch {
  watch(server: Server): void;
  /** Whether a request came lately. */
  isServing(): boolean;
}

export function createServingWatch(clock: Pick<Clock, 'elapsedMs'>): ServingWatch {
  let requestAtMs = Number.NEGATIVE_INFINITY;
  return {
    watch(server) {
      server.on('request', () => {
        requestAtMs = clock.elapsedMs();
      });
    },
    isServing: () => clock.elapsedMs() - requestAtMs < SERVING_MS,
  };
}
