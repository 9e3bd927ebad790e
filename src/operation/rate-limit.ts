import type { Clock } from '#infra/time/clock';
import { Problem } from '#kernel/problem';
import { TokenBucket } from '#kernel/token-bucket';
import type { OwnRateLimit } from './operation.ts';

/** A limit of requests per second for each key, kept in the memory of this process. */
export interface RateLimit {
  /** Takes one token of `key` and sets the RateLimit-* headers. Throws TOO_MANY_REQUESTS when none is left. */
  take(key: string, setHeader: (name: string, value: string) => void): void;
  /** Takes one token of `key`. Returns false when none is left. */
  tryTake(key: string): boolean;
}

/** The maximum number of buckets. Beyond it the least recently used one is dropped, which can only let a request through. */
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

/** Requests per second; 0 means no limit. */
export interface RateLimitSettings {
  rateLimitPerSecond: number;
  rateLimitBurst: number;
  searchRateLimitPerSecond: number;
}

/** The limit of all requests of a key, and those of single operations; null means no limit. */
export function rateLimitsOf(
  { rateLimitPerSecond, rateLimitBurst, searchRateLimitPerSecond }: RateLimitSettings,
  clock: Clock,
): { rateLimit: RateLimit | null; ownRateLimits: Record<OwnRateLimit, RateLimit | null> } {
  const limitOf = (perSecond: number, burst: number) =>
    perSecond === 0 ? null : createRateLimit(perSecond, burst, clock);
  return {
    rateLimit: limitOf(rateLimitPerSecond, rateLimitBurst),
    // The burst is one second's worth.
    ownRateLimits: { search: limitOf(searchRateLimitPerSecond, searchRateLimitPerSecond) },
  };
}
