/** Random numbers that a seed repeats: what goes wrong once can be looked at again. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  number(): number;
  between(least: number, most: number): number;
  /** A whole number, both ends included. */
  count(least: number, most: number): number;
  /** True this often. */
  happens(probability: number): boolean;
}

/** Mulberry32: 32 bits of state are plenty for choosing when to pull a plug. */
export function chanceOf(seed: number): Chance {
  let state = seed | 0;
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + (most - least) * number();
  return {
    number,
    between,
    count: (least, most) => Math.floor(between(least, most + 1)),
    happens: (probability) => number() < probability,
  };
}
