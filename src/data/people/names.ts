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
import type { ChatScope } from "@/data/chat/views";
import { writeRecords } from "@/data/engine/apply";
import { pullRecords } from "@/data/engine/lists";
import { fromCell } from "@/data/engine/live";
import type { Remote } from "@/data/engine/remote";
import { textOf } from "@/data/engine/rows";
import type { Scope } from "@/data/engine/scope";
import type { Replica } from "@/data/engine/store";
import type { MediaRow } from "@/data/media/row";
import { blockedIds$ } from "@/data/media/views";
import type { Counterpart, KnownPerson } from "@/data/shapes";
import { ok, type Result } from "@/domain/result";
import type { ProfileRow } from "./row";
import { profileView } from "./views";

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

/** Whom this device has met: those whose profile is here, and the authors of the newest media. */

/** Newest media whose authors are offered. */
const MEDIA = 300;

export function watchKnownPeople(
  scope: Scope,
  address: (path: string) => string,
): Observable<KnownPerson[]> {
  const { replica, userId } = scope;
  if (userId === null) return of([]);
  const authors$ = replica.media
    .find({ sort: [{ sortKey: "asc" }, { id: "asc" }], index: ["sortKey", "id"], limit: MEDIA })
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as MediaRow)));
  const profiles$ = replica.profiles
    .find()
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as ProfileRow)));
  return combineLatest([profiles$, authors$, blockedIds$(scope)]).pipe(
    map(([profiles, authors, blocked]) => {
      const known = new Map<string, KnownPerson>();
      for (const { userId: id, username } of authors) {
        known.set(id, { id, username, thumbnailUrl: "" });
      }
      for (const row of profiles) {
        const { id, username, profileThumbnailUrl, isBlocked } = profileView(row, address);
        if (isBlocked) known.delete(id);
        else known.set(id, { id, username, thumbnailUrl: profileThumbnailUrl });
      }
      for (const id of [userId, ...blocked]) known.delete(id);
      return [...known.values()].sort((a, b) => a.username.localeCompare(b.username));
    }),
  );
}

/** Profiles by their ids, as many as a request may name. */

/** Ids in one filter: the address of a request must stay short. */
const AT_ONCE = 40;

/** Which of `ids` the server does not know. */
export async function pullPeople(
  remote: Remote,
  replica: Replica,
  ids: readonly string[],
): Promise<Result<{ gone: string[] }>> {
  const gone: string[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const filter = some.map((id) => remote.filter("id = {:id}", { id })).join(" || ");
    const page = await pullRecords(remote, "profiles", { filter, perPage: AT_ONCE });
    if (!page.success) return page;
    await writeRecords(replica, "profiles", page.value);
    const here = new Set(page.value.map((record) => textOf(record, "id")));
    gone.push(...some.filter((id) => !here.has(id)));
  }
  return ok({ gone });
}
