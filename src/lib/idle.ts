/** Work that waits until the browser has nothing better to do, each in a task of its own. */

/** Runs it once when idle, at the latest after two seconds. Gives what calls it off. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const id = requestIdleCallback(run, { timeout: 2_000 });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(run, 200);
  return () => clearTimeout(timer);
}
