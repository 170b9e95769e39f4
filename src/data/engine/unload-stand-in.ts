/**
 * Stands in for the package `unload`, which RxDB's leader election calls to step down when its page
 * goes: that listens to `unload`, which browsers are giving up, and which keeps a page from being
 * shown again at once on Back.
 */

interface Leaving {
  remove: () => void;
  run: () => unknown;
}

const listeners = new Set<() => unknown>();

/**
 * What a page that is only laid aside does goes on with it; one that leads never is, because it
 * holds a lock.
 */
function onPageHide({ persisted }: PageTransitionEvent): void {
  if (persisted) return;
  for (const listener of [...listeners]) {
    listeners.delete(listener);
    listener();
  }
}

export function add(listener: () => unknown): Leaving {
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
