/**
 * What time it is for a platform. In production it is the real time. A sandbox lets each platform be ahead of it, by a
 * number of seconds that is stored with the platform and only grows: all domain time of the platform is read here, while
 * deliveries, signatures, keys and leases go on by the real clock.
 */
import type { Clock } from './clock.ts';

export interface PlatformClocks {
  /** Unix seconds, as the platform's clock shows them. */
  now(platformId: number): number;
  /** Unix seconds, as the real clock shows them. */
  realNow(): number;
  /**
   * Told by whoever has just read how far the platform is ahead. The largest counts: what is read late is old. Another
   * process learns it when it next reads one of the platform's keys, at most three seconds later.
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
