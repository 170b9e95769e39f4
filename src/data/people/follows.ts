/** Whom the signed-in user follows, and which tags. */
import { combineLatest, distinctUntilChanged, map, type Observable, of } from "rxjs";
import type { Scope } from "@/data/engine/context";
import { rowsOf, sameList } from "@/data/engine/live";
import { TAG_SIGN } from "@/domain/ids";
import type { FollowRow } from "./row";

/** Whether a follow is of a tag: `#` and the tag without case and accents. */
export const isTag = (followed: string): boolean => followed.startsWith(TAG_SIGN);

const selectFollows = ({ replica, userId }: Pick<Scope, "replica" | "userId">) =>
  replica.follows.find({ selector: { followerId: userId ?? "" } });

/** As the server knows it. */
export function followedIds$(scope: Scope): Observable<ReadonlySet<string>> {
  if (scope.userId === null) return of(new Set<string>());
  return rowsOf<FollowRow>(selectFollows(scope)).pipe(
    map((rows) => new Set(rows.map((row) => row.followingId))),
  );
}

export interface Followed {
  people: string[];
  /** Without case and accents, and without their sign. */
  tags: string[];
  /** Number of the newest follow, 0 where nobody is followed. */
  newest: number;
}

function followedOf(stored: readonly FollowRow[], queued: ReadonlyMap<string, boolean>): Followed {
  const ids = new Set(stored.map((row) => row.followingId));
  for (const [id, on] of queued) on ? ids.add(id) : ids.delete(id);
  const all = [...ids].sort();
  const people = all.filter((one) => !isTag(one));
  const tags = all.filter(isTag).map((tag) => tag.slice(1));
  return { people, tags, newest: Math.max(0, ...stored.map(({ seq }) => seq)) };
}

/** With what is queued on top. */
export const followed$ = (scope: Scope): Observable<Followed> =>
  combineLatest([rowsOf<FollowRow>(selectFollows(scope)), scope.overlay$]).pipe(
    map(([stored, { follows }]) => followedOf(stored, follows)),
    distinctUntilChanged(
      (a, b) => a.newest === b.newest && sameList(a.people, b.people) && sameList(a.tags, b.tags),
    ),
  );

/** As they are written; one that is still queued only as it is looked for. */
export const followedTags$ = (scope: Scope): Observable<string[]> =>
  combineLatest([rowsOf<FollowRow>(selectFollows(scope)), followed$(scope)]).pipe(
    map(([stored, { tags }]) => {
      const written = new Map(stored.map((row) => [row.followingId, row.written]));
      return tags.map((tag) => written.get(TAG_SIGN + tag) || tag);
    }),
    distinctUntilChanged(sameList),
  );

/** As the server knows it. */
export async function followedHere(of: Pick<Scope, "replica" | "userId">): Promise<Followed> {
  const stored = await selectFollows(of).exec();
  return followedOf(
    stored.map((doc) => doc.toJSON() as FollowRow),
    new Map(),
  );
}
