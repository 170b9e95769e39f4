/** Whom the signed-in user follows. */
import { combineLatest, distinctUntilChanged, map, type Observable, of } from "rxjs";
import type { Scope } from "@/data/engine/context";
import { rowsOf, sameList } from "@/data/engine/live";
import type { FollowRow } from "./row";

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
  ids: string[];
  /** Number of the newest follow, 0 where nobody is followed. */
  newest: number;
}

function followedOf(stored: readonly FollowRow[], queued: ReadonlyMap<string, boolean>): Followed {
  const ids = new Set(stored.map((row) => row.followingId));
  for (const [id, on] of queued) on ? ids.add(id) : ids.delete(id);
  return { ids: [...ids].sort(), newest: Math.max(0, ...stored.map(({ seq }) => seq)) };
}

/** With what is queued on top. */
export const followed$ = (scope: Scope): Observable<Followed> =>
  combineLatest([rowsOf<FollowRow>(selectFollows(scope)), scope.overlay$]).pipe(
    map(([stored, { follows }]) => followedOf(stored, follows)),
    distinctUntilChanged((a, b) => a.newest === b.newest && sameList(a.ids, b.ids)),
  );

/** As the server knows it. */
export async function followedHere(of: Pick<Scope, "replica" | "userId">): Promise<Followed> {
  const stored = await selectFollows(of).exec();
  return followedOf(
    stored.map((doc) => doc.toJSON() as FollowRow),
    new Map(),
  );
}
