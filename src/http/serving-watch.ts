import type { Server } from 'node:http';
import { InFlight } from '#infra/in-flight';
import type { Clock } from '#infra/time/clock';
import type { GiveWay } from '#infra/time/give-way';
import { createWaitingLine } from '#infra/time/waiting-line';

/** For this long after a request, more are expected. */
const SERVING_MS = 250;
/** Nothing gives way to an older request: it waits for something else, such as new events. */
const IN_PROGRESS_MS_MAX = 100;

/** Tells background work whether the process is serving requests, so that it can rest. */
export interface ServingWatch {
  watch(server: Server): void;
  /** Whether a request arrived recently. */
  isServing(): boolean;
  giveWay: GiveWay;
}

export function createServingWatch(clock: Pick<Clock, 'elapsedMs'>): ServingWatch {
  let requestAtMs = Number.NEGATIVE_INFINITY;
  const requests = new InFlight<{ arrivedAtMs: number }>();
  const line = createWaitingLine();

  const isInProgress = () => {
    const oldestMs = clock.elapsedMs() - IN_PROGRESS_MS_MAX;
    for (let { oldest } = requests; oldest !== undefined; { oldest } = requests) {
      if (oldest.arrivedAtMs > oldestMs) return true;
      requests.delete(oldest);
    }
    return false;
  };
  /** One per turn of the event loop: all at once would hold up the next request. */
  const releaseNext = () => {
    if (!isInProgress() && line.releaseFirst()) setImmediate(releaseNext);
  };

  return {
    watch(server) {
      server.on('request', (_, response) => {
        requestAtMs = clock.elapsedMs();
        const request = { arrivedAtMs: requestAtMs };
        requests.add(request);
        response.once('close', () => {
          requests.delete(request);
          releaseNext();
        });
      });
    },
    isServing: () => clock.elapsedMs() - requestAtMs < SERVING_MS,
    async giveWay(msMax) {
      if (!isInProgress()) return 0;
      const startedAtMs = clock.elapsedMs();
      await line.wait(msMax);
      return clock.elapsedMs() - startedAtMs;
    },
  };
}
