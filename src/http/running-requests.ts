/** Tracks running requests. A request continues after its client disconnects: it may have an open transaction, or others may precede it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits until no request runs, at most for `timeoutMs`. Call it when no more requests can arrive. */
    untilNoneRuns(timeoutMs: number): Promise<void>;
  }
}

const CHECK_MS = 20;

/** Call it before other hooks are added. */
export function trackRequests(app: FastifyInstance): void {
  const running = new Set<FastifyRequest>();
  app.addHook('onRequest', (request, _, done) => {
    running.add(request);
    done();
  });
  app.addHook('onSend', (request, _, payload, done) => {
    running.delete(request);
    done(null, payload);
  });
  app.decorate('untilNoneRuns', async (timeoutMs) => {
    for (let waitedMs = 0; running.size > 0 && waitedMs < timeoutMs; waitedMs += CHECK_MS)
      await sleep(CHECK_MS);
  });
}
