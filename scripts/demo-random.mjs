/**
 * Random numbers from a seed, for the demo's plan and its painter: the same seed gives the same
 * numbers.
 */

/** Mulberry32. @param {number} seed */
export function createRandom(seed) {
  // Neighbouring seeds would start with similar numbers.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const range = (/** @type {number} */ low, /** @type {number} */ high) =>
    low + (high - low) * next();
  return {
    /** In [0, 1). */
    next,
    /** In [low, high). */
    range,
    /** A whole number from low to high, both included. */
    int: (/** @type {number} */ low, /** @type {number} */ high) =>
      Math.floor(range(low, high + 1)),
    /** @template T @param {readonly T[]} list not empty @returns {T} */
    pick: (list) => /** @type {T} */ (list[Math.floor(next() * list.length)]),
    /** @template T @param {readonly T[]} list @returns {T[]} a shuffled copy */
    shuffled: (list) => {
      const keyed = list.map((value) => ({ value, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
    },
  };
}
