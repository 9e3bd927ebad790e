import { createHash } from 'node:crypto';

/** Pseudo-random choices, deterministic for a seed on every machine. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** A whole number from 0 to `count - 1`. */
  below(count: number): number {
    // Mulberry32 (public domain): 32 bits of state, sufficient for test data.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  /** True with the probability 1/`count`. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError('There is nothing to pick from.');
    return picked;
  }

  /** One of several texts separated by |. */
  pickFrom(texts: string): string {
    return this.pick(texts.split('|'));
  }

  /** One of several patterns separated by |, with each # replaced by a digit and each @ by a capital. */
  fill(patterns: string): string {
    return this.pickFrom(patterns)
      .replaceAll('#', () => String(this.below(10)))
      .replaceAll('@', () => this.pick([...'ABCDEFGHJKLMNPRSTUVW']));
  }
}
