import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/problem';
import { createRateLimit } from './rate-limit.ts';

/** Takes tokens like a request, at an instant that the test sets. */
function limitOf(perSecond: number, burst: number) {
  let nowMs = 1_000_000;
  const limit = createRateLimit(perSecond, burst, { elapsedMs: () => nowMs });
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** The headers, and the seconds to wait if the request is refused. */
    take(keyId = 'key'): { refused?: number | undefined } & Record<string, unknown> {
      const headers: Record<string, string> = {};
      try {
        limit.take(keyId, (name, value) => {
          headers[name] = value;
        });
        return headers;
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
        return { ...headers, refused: (error as Problem).retryAfterSeconds };
      }
    },
    allowed(count: number, keyId?: string): number {
      return Array.from({ length: count }, () => this.take(keyId)).filter(
        ({ refused }) => refused === undefined,
      ).length;
    },
  };
}

describe('the rate limit of a key', () => {
  it('lets a burst through, then its rate per second', () => {
    const limit = limitOf(100, 200);
    expect(limit.allowed(300)).toBe(200);
    limit.pass(1_000);
    expect(limit.allowed(300)).toBe(100);
    limit.pass(10);
    expect(limit.allowed(300)).toBe(1);
    limit.pass(9);
    expect(limit.allowed(300)).toBe(0);
    limit.pass(1);
    expect(limit.allowed(300)).toBe(1);
  });

  it('never holds more tokens than the burst', () => {
    const limit = limitOf(100, 200);
    limit.allowed(200);
    limit.pass(3_600_000);
    expect(limit.allowed(300)).toBe(200);
  });

  it('loses no fraction of a token to frequent requests', () => {
    const limit = limitOf(1, 1);
    limit.take();
    let allowed = 0;
    for (let ms = 0; ms < 10_000; ms += 50) {
      limit.pass(50);
      allowed += limit.allowed(1);
    }
    expect(allowed).toBe(10);
  });

  it('sets the headers for the limit, the rest and the reset', () => {
    const limit = limitOf(10, 20);
    expect(limit.take()).toEqual({
      'RateLimit-Limit': '20',
      'RateLimit-Remaining': '19',
      'RateLimit-Reset': '1',
    });
    limit.allowed(18);
    expect(limit.take()).toEqual({
      'RateLimit-Limit': '20',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '2',
    });
    expect(limit.take()).toEqual({
      'RateLimit-Limit': '20',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '2',
      refused: 1,
    });
  });

  it('answers the exact time to wait', () => {
    for (const perSecond of [1, 3, 7, 100]) {
      const limit = limitOf(perSecond, 5);
      limit.allowed(5);
      limit.pass(3);
      const { refused } = limit.take();
      expect(refused).toBeGreaterThanOrEqual(1);
      limit.pass((refused as number) * 1_000);
      expect(limit.allowed(1)).toBe(1);
    }
  });

  it('is separate for each key', () => {
    const limit = limitOf(1, 3);
    expect(limit.allowed(5, 'one')).toBe(3);
    expect(limit.allowed(5, 'other')).toBe(3);
    expect(limit.allowed(5, 'one')).toBe(0);
  });

  it('drops the least recently used key when there are too many', () => {
    const limit = limitOf(1, 1);
    limit.take('silent');
    limit.take('in use');
    for (let index = 0; index < 9_998; index++) limit.take(`key ${index}`);
    expect(limit.allowed(1, 'in use')).toBe(0);
    limit.take('one too many');
    expect(limit.allowed(1, 'in use')).toBe(0);
    expect(limit.allowed(1, 'silent')).toBe(1);
  });
});
