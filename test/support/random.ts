/** Reproducible random numbers: the same seed gives the same numbers. */
export interface Random {
  /** A whole number from 0, below `count`. */
  below(count: number): number;
  /** True in `share` of 100 cases. */
  percent(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** mulberry32: small, fast, and uniform enough for choices. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    percent: (share) => below(100) < share,
    pick: (list) => list[below(list.length)] as never,
  };
}
