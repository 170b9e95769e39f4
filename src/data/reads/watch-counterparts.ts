/** Other people's names and faces, live. Whom the device has not met is asked for, many at once. */
import {
  combineLatest,
  distinctUntilChanged,
  filter,
  from,
  map,
  type Observable,
  of,
  scan,
  startWith,
  switchMap,
} from "rxjs";
import type { Counterpart } from "@/data/chat-api";
import type { ProfileRow } from "@/data/schema/profiles";
import { pullPeople } from "@/data/sync/pull-people";
import type { ChatScope } from "./chat-reads";
import { fromCell } from "./from-cell";
import { profileView } from "./profile-view";

export type Counterparts = ReadonlyMap<string, Counterpart>;

export function watchCounterparts(
  { shared, scope }: Pick<ChatScope, "shared" | "scope">,
  ids: readonly string[],
  address: (path: string) => string,
): Observable<Counterparts> {
  if (ids.length === 0) return of(new Map());
  const here$ = scope.replica.profiles
    .findByIds([...ids])
    .$.pipe(map((docs) => new Map([...docs].map(([id, doc]) => [id, doc.toJSON() as ProfileRow]))));
  const missing$ = here$.pipe(
    map((here) => ids.filter((id) => !here.has(id))),
    distinctUntilChanged((a, b) => a.join() === b.join()),
  );
  const tries$ = fromCell(shared.connection).pipe(
    filter((connection, index) => index === 0 || connection === "online"),
  );
  const gone$ = combineLatest([missing$, tries$]).pipe(
    switchMap(([missing]) =>
      missing.length === 0
        ? of<string[]>([])
        : from(pullPeople(shared.remote, scope.replica, missing)).pipe(
            map((pulled) => (pulled.success ? pulled.value.gone : [])),
          ),
    ),
    scan((all, gone) => new Set([...all, ...gone]), new Set<string>()),
    startWith(new Set<string>()),
  );
  return combineLatest([here$, gone$]).pipe(
    map(([here, gone]) => new Map(ids.map((id) => [id, counterpart(here.get(id), gone.has(id))]))),
  );

  function counterpart(row: ProfileRow | undefined, gone: boolean): Counterpart {
    if (row === undefined) return gone ? { state: "gone" } : { state: "unknown" };
    const { username, profileThumbnailUrl } = profileView(row, address);
    return { state: "known", username, thumbnailUrl: profileThumbnailUrl };
  }
}
