/** Turns a stream of values into a `Live`: the one place where Rx ends and plain values begin. */
import {
  combineLatest,
  concat,
  distinctUntilChanged,
  filter,
  from,
  map,
  Observable,
  of,
  type Subscription,
  switchMap,
} from "rxjs";
import type { Connection, Found, Live } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { reuse } from "@/lib/reuse";
import type { Scope } from "./scope";

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

/** A cell as a stream: its value now and every later one. */

export function fromCell<T>(cell: Live<T>): Observable<T> {
  return new Observable((observer) => {
    const tell = () => observer.next(cell.getSnapshot());
    tell();
    return cell.subscribe(tell);
  });
}

/** Makes a live value of the open scope's stream, the same one for the same key. */

/** `first` is shown while nobody's data are open, `failed` when the stream broke. */
export type LiveMaker = <T>(
  key: string,
  source: (scope: Scope) => Observable<T>,
  first: T,
  failed: T,
) => Live<T>;

/** A single thing, live: the replica's, or the server's word where the replica does not know it. */

/** What the server said: it is there and now in the replica, there is none, or there was no answer. */
export type Asked = { state: "pulled" } | { state: "gone" } | { state: "failed"; code: ErrorCode };

/**
 * `local$` is null while the replica does not have it. The server is asked once when it is not here, and
 * again each time the connection comes back.
 */
export function watchOne<T>(
  local$: Observable<T | null>,
  connection$: Observable<Connection>,
  ask: () => Promise<Asked>,
): Observable<Found<T>> {
  const missing$ = local$.pipe(
    map((value) => value === null),
    distinctUntilChanged(),
  );
  const tries$ = connection$.pipe(
    // A try each time the server is back; the first one whatever is believed of the connection.
    filter((connection, index) => index === 0 || connection === "online"),
  );
  const asked$ = missing$.pipe(
    switchMap((missing) =>
      missing
        ? tries$.pipe(switchMap(() => concat(of(null), from(ask()))))
        : of<Asked>({ state: "pulled" }),
    ),
  );
  return combineLatest([local$, asked$]).pipe(
    map(([value, asked]) => foundOf(value, asked)),
    // Asking again must not blank what stands.
    distinctUntilChanged((before, now) => now.state === "loading" && before.state !== "found"),
  );
}

function foundOf<T>(value: T | null, asked: Asked | null): Found<T> {
  if (value !== null) return { state: "found", value };
  if (asked === null || asked.state === "pulled") return { state: "loading" };
  return asked.state === "gone" ? { state: "gone" } : { state: "unreachable", code: asked.code };
}
