import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DELIVERY_DELAYS_SECONDS,
  DELIVERY_WINDOW_SECONDS,
  nextDelaySeconds,
  randomShare,
} from './backoff.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** The longest time that a receiver takes to fail, plus the time until the worker notices that a delivery is due. */
const ATTEMPT_SECONDS = 15.25;

/** Seconds from the first attempt to each further one, each attempt taking `attemptSeconds`. */
function attemptsAt(jitter: () => number, retryAfter: () => number | null, attemptSeconds = 0): number[] {
  const instants = [0];
  for (let elapsed = attemptSeconds; ; elapsed += attemptSeconds) {
    const delay = nextDelaySeconds(instants.length, elapsed, jitter(), retryAfter());
    if (delay === null) return instants;
    elapsed += delay;
    instants.push(elapsed);
  }
}

describe('The schedule of a delivery', () => {
  it('is 10 s, 30 s, 2 m, 5 m, 15 m, 30 m, 1 h, 2 h, 4 h, 4 h: eleven attempts, the last after 11 h 52 min 40 s', () => {
    expect(DELIVERY_DELAYS_SECONDS).toEqual([
      10,
      30,
      2 * MINUTE,
      5 * MINUTE,
      15 * MINUTE,
      30 * MINUTE,
      HOUR,
      2 * HOUR,
      4 * HOUR,
      4 * HOUR,
    ]);
    const instants = attemptsAt(
      () => 0,
      () => null,
    );
    expect(instants).toHaveLength(11);
    expect(instants.at(-1)).toBe(11 * HOUR + 52 * MINUTE + 40);
    expect(DELIVERY_WINDOW_SECONDS).toBe(12 * HOUR);
  });

  it.each([
    ['without jitter', 0],
    ['with all of it', 1 - Number.EPSILON],
  ])('has all its attempts %s, however long each takes to fail', (_, share) => {
    const instants = attemptsAt(
      () => share,
      () => null,
      ATTEMPT_SECONDS,
    );
    expect(instants).toHaveLength(11);
    expect(instants.at(-1)).toBeLessThanOrEqual(DELIVERY_WINDOW_SECONDS);
  });

  it.each([
    [1, 0, 0, null, 10],
    [1, 0, 0.5, null, 9.5],
    [2, 10, 0, null, 30],
    [10, 28_360, 0, null, 14_400],
    [11, 42_760, 0, null, null],
    // Retry-After lengthens, and never shortens.
    [1, 0, 0, 60, 60],
    [1, 0, 0, 3, 10],
    [5, 460, 0, 0, 900],
    // Retry-After applies up to the end of the window; beyond that, the schedule does.
    [1, 0, 0, 43_200, 43_200],
    [1, 0, 0, 43_201, 10],
    [1, 1, 0, 43_200, 10],
    [1, 43_195, 0, null, null],
    [1, 43_190, 0, null, 10],
    [1, 43_190, 0, 11, 10],
    [1, 50_000, 0, 5, null],
  ])(
    'after attempt %i at %i s, jitter %d, Retry-After %s: wait %s s',
    (attempt, elapsed, share, options, expected) => {
      expect(nextDelaySeconds(attempt, elapsed, share, options)).toBe(expected);
    },
  );

  it('stays within 12 hours and goes forwards, whatever the jitter, the receivers and their retryAfters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
          minLength: 11,
          maxLength: 11,
        }),
        fc.array(fc.option(fc.integer({ min: 0, max: 200_000 })), { minLength: 11, maxLength: 11 }),
        fc.double({ min: 0, max: ATTEMPT_SECONDS, noNaN: true }),
        (shares, retryAfters, attemptSeconds) => {
          let [share, options] = [0, 0];
          const instants = attemptsAt(
            () => shares[share++] as number,
            () => retryAfters[options++] ?? null,
            attemptSeconds,
          );
          expect(instants.length).toBeLessThanOrEqual(11);
          expect(instants.at(-1)).toBeLessThanOrEqual(DELIVERY_WINDOW_SECONDS);
          for (let i = 1; i < instants.length; i++)
            expect((instants[i] as number) - (instants[i - 1] as number)).toBeGreaterThanOrEqual(9);
        },
      ),
    );
  });

  it('is jittered by a share from 0 to 1', () => {
    const shares = Array.from({ length: 1_000 }, randomShare);
    expect(shares.every((share) => share >= 0 && share < 1)).toBe(true);
    expect(new Set(shares).size).toBeGreaterThan(990);
  });
});
