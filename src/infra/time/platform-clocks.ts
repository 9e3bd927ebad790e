/**
 * The time of each platform. In production it is the real time. In a sandbox, a platform's clock can be ahead by a number
 * of seconds that is stored with the platform and never shrinks. All domain time comes from here; deliveries, signatures,
 * keys and leases use the real time.
 */
import type { Clock } from './clock.ts';

export interface PlatformClocks {
  /** Unix seconds by the platform's clock. */
  now(platformId: number): number;
  /** Unix seconds by the real clock. */
  realNow(): number;
  /**
   * Records the lead that was just read from the database. The largest value applies, because reads may arrive late. Another process learns
   * it when it next reads one of the platform's keys, at most three seconds later.
   */
  learn(platformId: number, aheadSeconds: number): void;
}

export function createPlatformClocks(clock: Pick<Clock, 'now'>, isSandbox: boolean): PlatformClocks {
  const ahead = new Map<number, number>();
  return {
    now: (platformId) => clock.now() + (ahead.get(platformId) ?? 0),
    realNow: () => clock.now(),
    learn(platformId, aheadSeconds) {
      if (isSandbox && aheadSeconds > (ahead.get(platformId) ?? 0)) ahead.set(platformId, aheadSeconds);
    },
  };
}
