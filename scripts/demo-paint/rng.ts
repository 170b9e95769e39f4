/** Random numbers from a seed: the same seed paints the same picture. */
export interface Rng {
  /** In [0, 1). */
  next(): number;
  /** In [low, high). */
  range(low: number, high: number): number;
  /** A whole number from low to high, both included. */
  int(low: number, high: number): number;
  /** Around 0, mostly within ±1. */
  gauss(): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** Mulberry32. */
export function createRng(seed: number): Rng {
  // Neighbouring seeds would begin alike.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const range = (low: number, high: number): number => low + (high - low) * next();
  return {
    next,
    range,
    int: (low, high) => Math.floor(range(low, high + 1)),
    gauss: () => (next() + next() + next() - 1.5) / 0.75,
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  };
}

/** A smooth random line through the plane: value noise in several octaves, about -1 to 1. */
export function createNoise(rng: Rng): (x: number, octaves?: number) => number {
  const values = Array.from({ length: 256 }, () => rng.range(-1, 1));
  const at = (i: number): number => values[((i % 256) + 256) % 256] ?? 0;
  const smooth = (x: number): number => {
    const whole = Math.floor(x);
    const part = x - whole;
    const eased = part * part * (3 - 2 * part);
    return at(whole) * (1 - eased) + at(whole + 1) * eased;
  };
  return (x, octaves = 4) => {
    let sum = 0;
    let weight = 1;
    let total = 0;
    for (let octave = 0; octave < octaves; octave++) {
      sum += smooth(x * 2 ** octave + octave * 37.7) * weight;
      total += weight;
      weight /= 2;
    }
    return sum / total;
  };
}
