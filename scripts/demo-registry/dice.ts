import { createHash } from 'node:crypto';

/** Chance that comes out the same for the same seed, on every machine. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** A whole number from 0 up to and without `count`. */
  below(count: number): number {
    // Mulberry32, which is public domain: 32 bits of state, and good enough to look like chance.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  /** True in one of so many cases. */
  oneIn(reviews: number): boolean {
    return this.below(reviews) === 0;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError('There is nothing to pick from.');
    return picked;
  }

  /** One of several texts with | between. */
  pickFrom(texts: string): string {
    return this.pick(texts.split('|'));
  }

  /** One of several patterns with | between; each # in it a digit, each @ a capital. */
  fill(patterns: string): string {
    return this.pickFrom(patterns)
      .replaceAll('#', () => String(this.below(10)))
      .replaceAll('@', () => this.pick([...'ABCDEFGHJKLMNPRSTUVW']));
  }
}
