/**
 * What the browser loads at its first use and keeps for all threads of the page: the rules of languages, some 30 ms long on the
 * machine this was measured on, as much as the drawing of all the first cards. In a worker the page does not wait for it.
 */
export function warmUp(): void {
  try {
    new Worker(new URL("./warm-up-worker.ts", import.meta.url), { type: "module" });
  } catch {
    // Then it is loaded where it is needed.
  }
}
