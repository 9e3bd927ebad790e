import type { Clock } from '#infra/time/clock';
import { Problem } from '#kernel/problem';
import { TokenBucket } from '#kernel/token-bucket';

/** A limit of requests per second for each key, kept in the memory of this process. */
export interface RateLimit {
  /** Takes one token of `key` and sets the RateLimit-* headers. Throws TOO_MANY_REQUESTS when none is left. */
  take(key: string, setHeader: (name: string, value: string) => void): void;
}

/** The most buckets kept. Beyond it the least recently used one is dropped, which can only let a request through. */
const BUCKETS_MAX = 10_000;

export function createRateLimit(
  perSecond: number,
  burst: number,
  clock: Pick<Clock, 'elapsedMs'>,
): RateLimit {
  const elapsedMs = () => clock.elapsedMs();
  const buckets = new Map<string, TokenBucket>();
  return {
    take(key, setHeader) {
      const bucket = buckets.get(key) ?? new TokenBucket({ burst, perSecond, elapsedMs });
      const isAllowed = bucket.take();
      buckets.delete(key);
      buckets.set(key, bucket);
      const [oldest] = buckets.keys();
      if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);

      setHeader('RateLimit-Limit', String(burst));
      setHeader('RateLimit-Remaining', String(bucket.remaining));
      setHeader('RateLimit-Reset', String(Math.ceil(bucket.fullAfterMs / 1_000)));
      if (isAllowed) return;
      throw new Problem('TOO_MANY_REQUESTS', {
        retryAfterSeconds: Math.ceil(bucket.retryAfterMs / 1_000),
      });
    },
  };
}
