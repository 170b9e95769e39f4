/** Numbers that look random and are the same for the same seed. */

/** In [0, 1). */
export type Random = () => number;

/** A stream of its own for each seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of `list`; undefined of an empty one. */
export const pickOne = <T>(random: Random, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)];
