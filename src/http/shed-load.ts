/** Refuses the newest requests while the process has more than it can answer in time. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import { Problem } from '#kernel/problem';
import { createAdmissionLimit } from './admission-limit.ts';
import { measureShedding } from './shedding-metrics.ts';

/** A queue clears within a second, and clients that return later return less simultaneously. */
const RETRY_AFTER_SECONDS = 1;
/** A refusal after this long without one starts a new episode, which is logged again. */
const EPISODE_GAP_MS = 10_000;

/** One object for all refusals: creating an error for each costs more than the rest of the refusal. */
const OVERLOADED = new Problem('SERVICE_UNAVAILABLE', {
  error: 'The service has more requests than it can answer',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
});

/** Whether the error refuses a request because of overload. It is logged once per episode, not per request. */
export const isShed = (error: unknown): boolean => error === OVERLOADED;

declare module 'fastify' {
  interface FastifyRequest {
    /** The client that the request counts for while its work is in progress. */
    countedFor: string | null;
  }
  interface FastifyContextConfig {
    /** Answered even under overload, because supervisors end a process that does not answer. */
    isAlwaysAdmitted?: true;
    /** A request with the query parameter `wait` is idle for most of its time. */
    mayWait?: true;
  }
}

export interface SheddingOptions {
  clock: Pick<Clock, 'elapsedMs'>;
  log: Log;
  metrics: Registry | null;
}

/**
 * Counts a request from the start of its handler to its answer: the time that a client takes to send a body or to read an answer does not
 * count as work. It is refused before its key is looked up and before its body is read.
 */
export function shedLoad(app: FastifyInstance, { clock, log, metrics }: SheddingOptions): void {
  const limit = createAdmissionLimit(() => clock.elapsedMs());
  const countRefusal = metrics ? measureShedding(metrics, limit.inProgress) : () => {};
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  app.decorateRequest('countedFor', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (limit.admits(clientOf(request)) || isExempt(request)) return done();
    const nowMs = clock.elapsedMs();
    if (nowMs - refusedAtMs > EPISODE_GAP_MS)
      log.warn({ in_progress: limit.inProgress() }, 'overloaded: the newest requests are refused with 503');
    refusedAtMs = nowMs;
    countRefusal();
    done(OVERLOADED);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isExempt(request)) {
      request.countedFor = clientOf(request);
      limit.enter(request.countedFor);
    }
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.countedFor !== null) limit.leave(request.countedFor);
    request.countedFor = null;
    done();
  });
}

/** The key is not looked up for this and need not be valid. People on the pages, who have none, count as one client. */
const clientOf = (request: FastifyRequest) => request.headers.authorization ?? '';

function isExempt({ routeOptions: { config }, query }: FastifyRequest): boolean {
  return (
    config.isAlwaysAdmitted === true ||
    (config.mayWait === true && Number((query as { wait?: string }).wait) > 0)
  );
}
