/**
 * Loads the browser's language data in a worker. A browser loads it at the first use and keeps it
 * for all threads of the page; that takes about 30 ms, as long as rendering all the first cards,
 * and in a worker the page does not wait for it.
 */
export function warmUp(): void {
  try {
    new Worker(new URL("./warm-up-worker.ts", import.meta.url), { type: "module" });
  } catch {
    // The data is then loaded where it is first used.
  }
}
