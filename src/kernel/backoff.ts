/** When a failed delivery or mail is retried. The schedule is data, so that the docs print it and a test adds it up. */

/** Seconds between an attempt and the next: 11 attempts, the last one 11 h 52 min 40 s after the first. */
export const DELIVERY_DELAYS_SECONDS = [10, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 14_400] as const;

/** A delivery fails if its next attempt would be later than this after the first. */
export const DELIVERY_WINDOW_SECONDS = 12 * 3_600;

export interface RetrySchedule {
  /** Seconds between an attempt and the next. */
  delaysSeconds: readonly number[];
  /** No attempt is later than this after the first one. */
  windowSeconds: number;
}

const DELIVERIES: RetrySchedule = {
  delaysSeconds: DELIVERY_DELAYS_SECONDS,
  windowSeconds: DELIVERY_WINDOW_SECONDS,
};

/**
 * For mails: the delays of deliveries, then every four hours. 14 attempts, the last one 23 h 52 min 40 s after the
 * first.
 */
export const MAIL_SCHEDULE: RetrySchedule = {
  delaysSeconds: [...DELIVERY_DELAYS_SECONDS, 14_400, 14_400, 14_400],
  windowSeconds: 24 * 3_600,
};

/** Jitter spreads attempts over the last tenth of the delay. It only shortens the delay, so that no attempt is later than the window. */
const JITTER_SHARE = 0.1;

/**
 * Seconds to wait after attempt number `attempt` (from 1) failed, or null if it was the last one. `random` is in [0,
 * 1). `retryAfterSeconds` is the receiver's Retry-After: it can lengthen the wait within the window.
 */
export function nextDelaySeconds(
  attempt: number,
  elapsedSeconds: number,
  random: number,
  retryAfterSeconds: number | null = null,
  { delaysSeconds, windowSeconds }: RetrySchedule = DELIVERIES,
): number | null {
  const scheduled = delaysSeconds[attempt - 1];
  if (scheduled === undefined) return null;
  const jittered = scheduled * (1 - JITTER_SHARE * random);
  const requested = Math.max(jittered, retryAfterSeconds ?? 0);
  if (elapsedSeconds + requested <= windowSeconds) return requested;
  return elapsedSeconds + jittered <= windowSeconds ? jittered : null;
}

/** A random share in [0, 1) for jitter. Not for secrets. */
export function randomShare(): number {
  return Math.random();
}
