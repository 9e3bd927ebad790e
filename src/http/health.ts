/** `/healthz` and `/readyz`, for load balancers and supervisors. They need no key and reveal no more than the names of checks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Resolves to whether the part works; `off` for one that this process does not have. A rejection counts as false. */
export type ReadinessCheck = () => Promise<boolean | 'off'>;

/** A database that does not answer must not keep a probe waiting: Kubernetes gives up after a second by default. */
const CHECK_TIMEOUT_MS = 900;

/**
 * `/healthz` answers as long as the process does, even without the database, which a restart would not bring back. `/readyz` answers 503
 * unless every check passes: then requests should go to another process.
 */
export async function health(
  app: FastifyInstance,
  { checks }: { checks: Readonly<Record<string, ReadinessCheck>> },
): Promise<void> {
  app.get('/healthz', { config: { isAlwaysAdmitted: true } }, (_, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { config: { isAlwaysAdmitted: true } }, async (_, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
    );
    const isReady = results.every(([, result]) => result !== 'failed');
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(results) });
  });
}

async function resultOf(check: ReadinessCheck): Promise<'ok' | 'off' | 'failed'> {
  const timeout = new AbortController();
  const late = sleep(CHECK_TIMEOUT_MS, false, { signal: timeout.signal, ref: false }).catch(() => false);
  const result = await Promise.race([check().catch(() => false), late]);
  timeout.abort();
  if (result === 'off') return 'off';
  return result ? 'ok' : 'failed';
}
