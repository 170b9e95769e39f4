/** Turns a stream of values into a `Live`: the one place where Rx ends and plain values begin. */
import type { Observable, Subscription } from "rxjs";
import type { Live } from "@/data/client-api";
import { reuse } from "@/lib/reuse";

/** How long a value stays warm when nobody watches, so that going back shows it at once. */
const WARM_MS = 30_000;
const KEPT_QUERIES = 60;

export interface LiveDeps {
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

/** `failed` is what a broken stream shows. */
export function createLive<T>(
  source: Observable<T>,
  initial: T,
  failed: T,
  deps: LiveDeps,
): Live<T> {
  const watchers = new Set<() => void>();
  let snapshot = initial;
  let subscription: Subscription | null = null;
  let cooling = new AbortController();
  const show = (value: T) => {
    const next = reuse(snapshot, value);
    if (next === snapshot) return;
    snapshot = next;
    for (const watcher of [...watchers]) watcher();
  };
  const cool = () => {
    cooling = new AbortController();
    const { signal } = cooling;
    void deps.delay(WARM_MS, signal).then(() => {
      if (signal.aborted || watchers.size > 0) return;
      subscription?.unsubscribe();
      subscription = null;
    });
  };
  return {
    getSnapshot: () => snapshot,
    subscribe(onChange) {
      watchers.add(onChange);
      cooling.abort();
      // A broken one is closed, and begun anew.
      if (subscription === null || subscription.closed) {
        subscription = source.subscribe({
          next: show,
          error: (error: unknown) => {
            deps.log("A live value broke", error);
            show(failed);
          },
        });
      }
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) cool();
      };
    },
  };
}

/** Hands out the same `Live` for the same question, so that a component may ask in each render. */
export function createLiveCache(): <T>(key: string, make: () => Live<T>) => Live<T> {
  const kept = new Map<string, Live<unknown>>();
  return <T>(key: string, make: () => Live<T>): Live<T> => {
    const live = (kept.get(key) as Live<T> | undefined) ?? make();
    kept.delete(key);
    kept.set(key, live);
    const oldest = kept.keys().next();
    if (kept.size > KEPT_QUERIES && !oldest.done) kept.delete(oldest.value);
    return live;
  };
}
