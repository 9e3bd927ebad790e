/** Tracks running requests. A request continues after its client disconnects: it may have an open transaction, or others may precede it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    isRunning: boolean;
  }
  interface FastifyInstance {
    /** Waits until no request runs, at most for `timeoutMs`. Call it when no more requests can arrive. */
    untilNoneRuns(timeoutMs: number): Promise<void>;
  }
}

const CHECK_MS = 20;

/** Call it before other hooks are added. */
export function trackRequests(app: FastifyInstance): void {
  let running = 0;
  app.decorateRequest('isRunning', false);
  app.addHook('onRequest', (request, _, done) => {
    request.isRunning = true;
    running += 1;
    done();
  });
  app.addHook('onSend', (request, _, payload, done) => {
    // An answer that cannot be written is followed by another one.
    if (request.isRunning) running -= 1;
    request.isRunning = false;
    done(null, payload);
  });
  app.decorate('untilNoneRuns', async (timeoutMs) => {
    for (let waitedMs = 0; running > 0 && waitedMs < timeoutMs; waitedMs += CHECK_MS) await sleep(CHECK_MS);
  });
}
