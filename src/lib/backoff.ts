/** Milliseconds to wait: doubling from a second to `most`, spread so that devices do not meet. */
export function retryDelay(failures: number, random: () => number, most = 60_000): number {
  const full = Math.min(most, 1_000 * 2 ** Math.min(Math.max(0, failures - 1), 16));
  return Math.round(full / 2 + (full / 2) * random());
}
