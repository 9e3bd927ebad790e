/** A token bucket per API key, in this process's memory. */
import type { Clock } from '#infra/clock';
import { Problem } from '#kernel/problem';

export interface RateLimit {
  /** Takes one token, or throws TOO_MANY_REQUESTS. Answers the RateLimit-* headers either way. */
  take(keyId: string, setHeader: (name: string, value: string) => void): void;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Buckets kept at most: past that the oldest is forgotten, which only ever lets a caller through. */
const BUCKETS_MAX = 10_000;

export function createRateLimit(
  perSecond: number,
  burst: number,
  clock: Pick<Clock, 'elapsedMs'>,
): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(keyId, setHeader) {
      const nowMs = clock.elapsedMs();
      const bucket = buckets.get(keyId) ?? { tokens: burst, filledAtMs: nowMs };
      bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.filledAtMs) * perSecond) / 1_000);
      bucket.filledAtMs = nowMs;
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      buckets.delete(keyId);
      buckets.set(keyId, bucket);
      const [oldest] = buckets.keys();
      if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);

      setHeader('RateLimit-Limit', String(burst));
      setHeader('RateLimit-Remaining', String(Math.floor(bucket.tokens)));
      setHeader('RateLimit-Reset', String(Math.ceil((burst - bucket.tokens) / perSecond)));
      if (isAllowed) return;
      const retryAfterSeconds = Math.ceil((1 - bucket.tokens) / perSecond);
      throw new Problem('TOO_MANY_REQUESTS', { retryAfterSeconds });
    },
  };
}
