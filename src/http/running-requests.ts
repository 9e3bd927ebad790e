/** Which requests run. One goes on when its client leaves: it may have a transaction open, and others before it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits until no request runs, and at most for so long. Call it when no more can come. */
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
