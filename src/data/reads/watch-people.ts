/** One's own followers, whom one follows, and whom one blocked, with their names as far as they are known. */
import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  switchMap,
  tap,
} from "rxjs";
import type { Loaded } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import type { PeopleList, PeoplePage, PersonView } from "@/data/people-api";
import type { Shared } from "@/data/scope-parts";
import { writeRecords } from "@/data/sync/apply-changes";
import { pullRecords } from "@/data/sync/pull-lists";
import { fromCell } from "./from-cell";
import { profileView } from "./profile-view";

/** Names asked for with one request: the address stays short enough for every proxy. */
const NAMES_AT_ONCE = 40;

interface PeopleSource {
  shared: Shared;
  scope: Scope;
  address: (path: string) => string;
}

export function watchPeople(
  source: PeopleSource,
  list: PeopleList,
  limit: number,
): Observable<Loaded<PeoplePage>> {
  const { scope } = source;
  if (scope.userId === null) return of({ state: "ready", value: { items: [], total: 0 } });
  /** Whom the server was asked about, without a word of theirs in the answer. */
  const unknown$ = new BehaviorSubject<ReadonlySet<string>>(new Set());
  const asked = new Set<string>();
  // Whoever could not be asked for is asked for again when the server is back.
  const online$ = fromCell(source.shared.connection).pipe(
    distinctUntilChanged(),
    tap((connection) => {
      if (connection === "online") asked.clear();
    }),
  );
  return ids$(scope, list).pipe(
    switchMap((ids) => {
      const shown = ids.slice(0, limit);
      const names$ = scope.replica.profiles.find({ selector: { id: { $in: shown } } }).$;
      return combineLatest([names$, unknown$, scope.status$, online$]).pipe(
        tap(([docs]) => {
          const known = new Set(docs.map((doc) => doc.id));
          const missing = shown.filter((id) => !known.has(id) && !asked.has(id));
          for (const id of missing) asked.add(id);
          if (missing.length > 0) void askNames(source, missing, unknown$);
        }),
        map(([docs, unknown, { filled, failure }]): Loaded<PeoplePage> => {
          if (ids.length === 0 && !filled) {
            return failure === null ? { state: "loading" } : { state: "failed", code: failure };
          }
          const known = new Map(docs.map((doc) => [doc.id, doc]));
          const items = shown.map((id): PersonView => {
            const doc = known.get(id);
            if (doc === undefined) return { id, state: unknown.has(id) ? "unknown" : "asking" };
            const { username, profileThumbnailUrl } = profileView(doc.toJSON(), source.address);
            return { id, state: "known", username, thumbnailUrl: profileThumbnailUrl };
          });
          return { state: "ready", value: { items, total: ids.length } };
        }),
      );
    }),
  );
}

/** Whoever the answer does not bring stays unknown, for as long as the list is shown. */
async function askNames(
  { shared, scope }: PeopleSource,
  ids: readonly string[],
  unknown$: BehaviorSubject<ReadonlySet<string>>,
): Promise<void> {
  for (let i = 0; i < ids.length; i += NAMES_AT_ONCE) {
    const some = ids.slice(i, i + NAMES_AT_ONCE);
    const filter = some.map((id) => shared.remote.filter("id = {:id}", { id })).join(" || ");
    const pulled = await pullRecords(shared.remote, "profiles", { filter, perPage: some.length });
    if (pulled.success) await writeRecords(scope.replica, "profiles", pulled.value);
    unknown$.next(new Set([...unknown$.value, ...some]));
  }
}

/** Newest first; what is queued stands on top. */
function ids$(scope: Scope, list: PeopleList): Observable<string[]> {
  return combineLatest([rows$(scope, list), scope.overlay$]).pipe(
    map(([rows, { follows, blocks }]) => {
      const ids = rows.sort((a, b) => b.createdAt - a.createdAt).map((row) => row.id);
      if (list === "followers") return ids;
      const wanted = list === "following" ? follows : blocks;
      const more = [...wanted].filter(([id, on]) => on && !ids.includes(id)).map(([id]) => id);
      return [...more.reverse(), ...ids.filter((id) => wanted.get(id) !== false)];
    }),
  );
}

interface Row {
  id: string;
  createdAt: number;
}

function rows$({ replica, userId }: Scope, list: PeopleList): Observable<Row[]> {
  const me = userId ?? "";
  if (list === "blocked") {
    return replica.blocks
      .find()
      .$.pipe(map((docs) => docs.map((doc) => ({ id: doc.blockedId, createdAt: doc.createdAt }))));
  }
  const [mine, other] =
    list === "following"
      ? (["followerId", "followingId"] as const)
      : (["followingId", "followerId"] as const);
  return replica.follows
    .find({ selector: { [mine]: me } })
    .$.pipe(map((docs) => docs.map((doc) => ({ id: doc[other], createdAt: doc.createdAt }))));
}
