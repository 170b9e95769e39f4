/** Turns Rx streams into plain live values, and asks the server for what the replica lacks. */
import type { RxCollection, RxDocument } from "rxdb";
import {
  combineLatest,
  defer,
  distinctUntilChanged,
  filter,
  map,
  merge,
  Observable,
  of,
  type Subscription,
  skip,
  startWith,
  switchMap,
  tap,
} from "rxjs";
import type { Connection, Found, Live, Loaded } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { failed, ok, type Result } from "@/domain/result";
import { reuse } from "@/lib/reuse";
import { codeOfFault } from "./answers";
import type { PullStatus, Scope, Shared } from "./context";
import type { ClientDeps } from "./deps";
import type { PulledOne } from "./lists";

/** How long a value stays warm when nobody watches, so that going back shows it at once. */
const WARM_MS = 30_000;
const KEPT_QUERIES = 60;

interface WarmLive<T> extends Live<T> {
  /** Nobody will ask for it again: it ends with its last watcher. */
  release(): void;
}

/** `failed` is what a broken stream shows. */
export function createLive<T>(
  source: Observable<T>,
  initial: T,
  failed: (code: ErrorCode) => T,
  deps: Pick<ClientDeps, "delay"> & Pick<Shared, "log">,
): WarmLive<T> {
  const watchers = new Set<() => void>();
  let snapshot = initial;
  let isStale = true;
  let subscription: Subscription | null = null;
  let cooling = new AbortController();
  let isReleased = false;
  const end = () => {
    if (watchers.size === 0) subscription?.unsubscribe();
  };
  const show = (value: T) => {
    const next = reuse(snapshot, value);
    // The first value after a pause is told even if it is the same: it was being waited for.
    if (next === snapshot && !isStale) return;
    isStale = false;
    snapshot = next;
    for (const watcher of [...watchers]) watcher();
  };
  const cool = () => {
    if (isReleased) return end();
    cooling = new AbortController();
    const { signal } = cooling;
    void deps.delay(WARM_MS, signal).then(() => {
      if (!signal.aborted) end();
    });
  };
  return {
    getSnapshot: () => snapshot,
    isStale: () => isStale,
    subscribe(onChange) {
      watchers.add(onChange);
      cooling.abort();
      // One that broke or cooled starts again.
      if (subscription?.closed !== false) {
        isStale = true;
        subscription = source.subscribe({
          next: show,
          error: (error: unknown) => {
            deps.log("A live value broke", error);
            show(failed(codeOfFault(error)));
          },
        });
      }
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) cool();
      };
    },
    release() {
      isReleased = true;
      end();
    },
  };
}

interface Kept {
  limit: number;
  live: WarmLive<unknown>;
}

/**
 * Hands out the same `Live` for the same query, so that a component may ask in each render. Of a
 * list it keeps one length: each holds all rows up to its own.
 */
function createLiveCache() {
  const kept = new Map<string, Kept>();
  return <T>({ key, limit = 0 }: Query, make: () => WarmLive<T>): Live<T> => {
    const before = kept.get(key);
    const isSame = before?.limit === limit;
    const live = isSame ? (before.live as WarmLive<T>) : make();
    kept.delete(key);
    kept.set(key, { limit, live });
    if (!isSame) before?.live.release();
    const oldest = kept.keys().next();
    if (kept.size > KEPT_QUERIES && !oldest.done) kept.delete(oldest.value);
    return live;
  };
}

/** What is watched: by `key`, of a list so many rows as `limit`. */
interface Query {
  key: string;
  limit?: number;
}

const queryOf = (query: string | Query): Query =>
  typeof query === "string" ? { key: query } : query;

export type Views = ReturnType<typeof createViews>;

/** What live reads are made from. The same key gives the same live value. */
export function createViews(
  shared: Shared,
  scope$: Observable<Scope | null>,
  scope: () => Promise<Scope>,
) {
  const { remote, deps, log } = shared;
  const cached = createLiveCache();
  const live = <T>(
    query: string | Query,
    source: (scope: Scope) => Observable<T>,
    first: T,
    failed: (code: ErrorCode) => T,
  ): Live<T> =>
    cached(queryOf(query), () => {
      const values$ = scope$.pipe(switchMap((open) => (open === null ? of(first) : source(open))));
      return createLive(values$, first, failed, { delay: deps.delay, log });
    });
  return {
    shared,
    scope,
    /** Whole address of a path on the server. */
    address: (path: string) => (path.startsWith("/") ? remote.address(path) : path),
    loaded: <T>(query: string | Query, source: (scope: Scope) => Observable<Loaded<T>>) =>
      live<Loaded<T>>(query, source, { state: "loading" }, (code) => ({ state: "failed", code })),
    found: <T>(key: string, source: (scope: Scope) => Observable<Found<T>>) =>
      live<Found<T>>(key, source, { state: "loading" }, (code) => ({ state: "unreachable", code })),
    /** `initial` while nobody's data are open, and where the stream broke. */
    value: <T>(key: string, source: (scope: Scope) => Observable<T>, initial: T) =>
      live(key, source, initial, () => initial),
  };
}

export function fromCell<T>(cell: Pick<Live<T>, "subscribe" | "getSnapshot">): Observable<T> {
  return new Observable((observer) => {
    const tell = () => observer.next(cell.getSnapshot());
    tell();
    return cell.subscribe(tell);
  });
}

export const rowsOf = <Row>(query: {
  $: Observable<readonly { toJSON(): unknown }[]>;
}): Observable<Row[]> => query.$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as Row)));

export const rowOf = <Row>(query: {
  $: Observable<{ toJSON(): unknown } | null>;
}): Observable<Row | null> =>
  query.$.pipe(map((doc) => (doc === null ? null : (doc.toJSON() as Row))));

/** Those that are here, in the order of `ids`. */
export function byIds$<Row>(collection: RxCollection<Row>, ids: string[]): Observable<Row[]> {
  if (ids.length === 0) return of([]);
  const toRow = (doc: RxDocument<Row> | undefined) => (doc ? [doc.toJSON() as Row] : []);
  return collection.findByIds(ids).$.pipe(map((docs) => ids.flatMap((id) => toRow(docs.get(id)))));
}

export const sameList = <L extends readonly string[]>(a: L, b: L): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

/** Nothing to show is not "empty" while the replica was never filled (law 4). */
export function loadedOf<T>(value: T, isKnown: boolean, status: PullStatus): Loaded<T> {
  if (isKnown || status.filled) return { state: "ready", value };
  return status.failure === null ? { state: "loading" } : { state: "failed", code: status.failure };
}

/** What was asked: null while there is no answer yet. */
export type Asked<T> = Result<T> | null;

/** Asks once, then again when the connection returns, and after a failure when a pull succeeds. */
export function askUntilAnswered<T>(
  { connection }: { connection: Live<Connection> },
  { status$ }: Pick<Scope, "status$">,
  ask: () => Promise<Result<T>>,
): Observable<Asked<T>> {
  return defer(() => {
    let last: Asked<T> = null;
    const online$ = fromCell(connection).pipe(
      skip(1),
      filter((now) => now === "online" && last?.success !== true),
    );
    const pulled$ = status$.pipe(
      skip(1),
      filter(({ failure }) => failure === null && last?.success === false),
    );
    return merge(of(null), online$, pulled$).pipe(
      switchMap(() => defer(ask).pipe(startWith<Asked<T>>(null))),
      tap((answer) => {
        last = answer;
      }),
    );
  });
}

/** One row: from the replica, or asked for while `local$` is null. */
export function watchOne<T>(
  shared: Pick<Shared, "connection">,
  scope: Pick<Scope, "status$">,
  local$: Observable<T | null>,
  ask: () => Promise<PulledOne>,
): Observable<Found<T>> {
  const missing$ = local$.pipe(
    map((value) => value === null),
    distinctUntilChanged(),
  );
  const asked$ = missing$.pipe(
    switchMap((missing) =>
      missing
        ? askUntilAnswered(shared, scope, async (): Promise<Result<PulledOne>> => {
            const pulled = await ask();
            return pulled.state === "failed" ? failed(pulled.code) : ok(pulled);
          })
        : of<Asked<PulledOne>>(null),
    ),
    startWith<Asked<PulledOne>>(null),
  );
  return combineLatest([local$, asked$]).pipe(
    map(([value, asked]) => foundOf(value, asked)),
    // Asking again must not blank what is shown.
    distinctUntilChanged((before, now) => now.state === "loading" && before.state !== "found"),
  );
}

function foundOf<T>(value: T | null, asked: Asked<PulledOne>): Found<T> {
  if (value !== null) return { state: "found", value };
  if (asked === null) return { state: "loading" };
  if (!asked.success) return { state: "unreachable", code: asked.error };
  return asked.value.state === "gone" ? { state: "gone" } : { state: "loading" };
}
