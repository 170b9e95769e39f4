/** A single thing, live: the replica's, or the server's word where the replica does not know it. */
import {
  combineLatest,
  concat,
  distinctUntilChanged,
  filter,
  from,
  map,
  type Observable,
  of,
  switchMap,
} from "rxjs";
import type { Connection, Found } from "@/data/client-api";
import type { ErrorCode } from "@/domain/error-codes";

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
