import type { Server } from 'node:http';
import type { Clock } from '#infra/time/clock';

/** For this long after a request, more are expected. */
const SERVING_MS = 250;

/** Tells background work whether the process is serving requests, so that it can rest. */
export interface ServingWatch {
  watch(server: Server): void;
  /** Whether a request arrived recently. */
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
