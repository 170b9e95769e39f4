/**
 * Replaces the package `unload` of RxDB's leader election: an `unload` listener is deprecated and
 * keeps a page out of the browser's back/forward cache.
 */

const listeners = new Set<() => unknown>();

/** A page in the back/forward cache continues later. A leader is never cached: it holds a lock. */
function onPageHide({ persisted }: PageTransitionEvent): void {
  if (persisted) return;
  for (const listener of [...listeners]) {
    listeners.delete(listener);
    listener();
  }
}

export function add(listener: () => unknown) {
  if (typeof window !== "undefined") window.addEventListener("pagehide", onPageHide);
  listeners.add(listener);
  return {
    remove: () => void listeners.delete(listener),
    run: () => {
      listeners.delete(listener);
      return listener();
    },
  };
}
