/** Random amounts: a sample in every run of the tests, and ten million of them with AMOUNTS=10000000. */
import { strictEqual } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { patience } from './patience.ts';
import { type Random, randomFrom } from './random.ts';

export const AMOUNTS = Number(process.env.AMOUNTS ?? 20_000);
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));

/** For a test of that many amounts. */
export const AMOUNTS_TIMEOUT = patience(5 + AMOUNTS * 0.0001);

/** Every amount has its own seed, which a failure names, so that it can be repeated alone. */
export function withRandomAmounts(check: (random: Random) => void): void {
  for (let seed = SEED; seed < SEED + AMOUNTS; seed++)
    try {
      check(randomFrom(seed));
    } catch (error) {
      throw new Error(`${(error as Error).message} (SEED=${seed} AMOUNTS=1)`, { cause: error });
    }
}

/** From 1 to a million million minor units, small ones as often as large ones. */
export function randomAmount(random: Random): number {
  const million = 1_000_000;
  const amount = 1 + random.below(million) * million + random.below(million);
  return Math.max(1, Math.floor(amount / 10 ** random.below(13)));
}

type Compared = number | bigint | string | boolean;

/** Like `expect(…).toBe`, which takes longer than the tested code. */
export const same: (actual: Compared, expected: Compared, what: string) => void = strictEqual;
