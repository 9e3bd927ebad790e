import type { Clock } from '#infra/time/clock';
import { Problem } from '#kernel/problem';
import { TokenBucket } from '#kernel/token-bucket';

/** A limit of requests per second for each key, kept in the memory of this process. */
export interface RateLimit {
  /** Takes one token of `key` and sets the RateLimit-* headers. Throws TOO_MANY_REQUESTS when none is left. */
  take(key: string, setHeader: (name: string, value: string) => void): void;
  /** Takes one token of `key`. Returns false when none is left. */
  tryTake(key: string): boolean;
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
  const takeFrom = (key: string) => {
    const bucket = buckets.get(key) ?? new TokenBucket({ burst, perSecond, elapsedMs });
    const isAllowed = bucket.take();
    buckets.delete(key);
    buckets.set(key, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);
    return { bucket, isAllowed };
  };
  return {
    tryTake: (key) => takeFrom(key).isAllowed,
    take(key, setHeader) {
      const { bucket, isAllowed } = takeFrom(key);
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
