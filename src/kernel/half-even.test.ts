import fc from 'fast-check';
import { expect, it } from 'vitest';
import { halfEven } from './half-even.ts';

it.each([
  [0n, 3n, 0n],
  [1n, 2n, 0n],
  [3n, 2n, 2n],
  [5n, 2n, 2n],
  [7n, 3n, 2n],
  [8n, 3n, 3n],
  [25n, 10n, 2n],
  [26n, 10n, 3n],
  [35n, 10n, 4n],
])('%i / %i is %i', (dividend, divisor, quotient) => {
  expect(halfEven(dividend, divisor)).toBe(quotient);
});

it('is never further away than a half, and even at a half', () => {
  const whole = fc.bigInt({ min: 0n, max: 10n ** 30n });
  fc.assert(
    fc.property(whole, fc.bigInt({ min: 1n, max: 10n ** 15n }), (dividend, divisor) => {
      const quotient = halfEven(dividend, divisor);
      const distance = 2n * (dividend - quotient * divisor);
      const size = distance < 0n ? -distance : distance;
      expect(size <= divisor).toBe(true);
      if (size === divisor) expect(quotient % 2n).toBe(0n);
    }),
  );
});
