/** The gallery's and the profiles' lists, live. */

import type { MangoQuery } from "rxdb";
import {
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
} from "rxjs";
import type { FeedPage, FeedQuery, Loaded } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import type { MediaRow } from "@/data/schema/media";
import { type FoldContext, foldFeed } from "./fold-media";

/** What each fold needs, as it changes. */
export function foldContext$(
  scope: Scope,
  address: (path: string) => string,
): Observable<FoldContext> {
  return combineLatest([scope.overlay$, likedIds$(scope), scope.blobUrls.urls$]).pipe(
    map(([overlay, likes, urls]) => ({
      overlay,
      likes,
      address,
      blobUrl: (key: string) => urls.get(key) ?? "",
    })),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
}

function likedIds$({ replica, userId }: Scope): Observable<ReadonlySet<string>> {
  if (userId === null) return of(new Set<string>());
  return replica.likes
    .find()
    .$.pipe(map((docs) => new Set(docs.map((doc) => doc.get("mediaId") as string))));
}

/** People whose media this user does not want to see: the server's rows with what is queued on top. */
export function blockedIds$({ replica, overlay$ }: Scope): Observable<string[]> {
  const stored$ = replica.blocks
    .find()
    .$.pipe(map((docs) => docs.map((doc) => doc.get("blockedId") as string)));
  return combineLatest([stored$, overlay$]).pipe(
    map(([stored, { blocks }]) => {
      const ids = new Set(stored);
      for (const [id, on] of blocks) on ? ids.add(id) : ids.delete(id);
      return [...ids].sort();
    }),
    distinctUntilChanged((a, b) => a.join() === b.join()),
  );
}

export function watchFeed(
  scope: Scope,
  query: FeedQuery,
  address: (path: string) => string,
): Observable<Loaded<FeedPage>> {
  const rows$ = hidden$(scope, query).pipe(
    switchMap((hidden) => scope.replica.media.find(feedQuery(query, hidden)).$),
    map((docs) => docs.map((doc) => doc.toJSON() as MediaRow)),
  );
  return combineLatest([rows$, foldContext$(scope, address), scope.status$]).pipe(
    map(([rows, context, status]): Loaded<FeedPage> => {
      const page = foldFeed(rows, query, context);
      // Nothing here and never filled is not "empty" (law 4).
      if (page.items.length > 0 || status.filled) return { state: "ready", value: page };
      return status.failure === null
        ? { state: "loading" }
        : { state: "failed", code: status.failure };
    }),
  );
}

interface Hidden {
  people: string[];
  media: string[];
}

function hidden$(scope: Scope, query: FeedQuery): Observable<Hidden> {
  const people$ = query.userId === undefined ? blockedIds$(scope) : of([]);
  const media$ = scope.overlay$.pipe(
    map(({ deletedMedia }) => [...deletedMedia].sort()),
    distinctUntilChanged((a, b) => a.join() === b.join()),
  );
  return combineLatest([people$, media$]).pipe(map(([people, media]) => ({ people, media })));
}

/** Ascending indexes only: a descending sort reads the whole table in this storage (platform facts). */
export function feedQuery(query: FeedQuery, hidden: Hidden): MangoQuery<MediaRow> {
  const { userId, filter, sort, limit } = query;
  const type = filter === "photos" ? "photo" : "video";
  const selector = {
    ...(userId === undefined ? {} : { userId }),
    ...(filter === "all" ? {} : { type }),
    ...(hidden.people.length === 0 ? {} : { userId: { $nin: hidden.people } }),
    ...(hidden.media.length === 0 ? {} : { id: { $nin: hidden.media } }),
  } as NonNullable<MangoQuery<MediaRow>["selector"]>;
  if (sort === "popular") {
    return {
      selector,
      sort: [{ popularKey: "asc" }, { sortKey: "asc" }, { id: "asc" }],
      index: ["popularKey", "sortKey", "id"],
      limit,
    };
  }
  const index = ["sortKey", "id"];
  if (userId !== undefined) index.unshift("userId");
  else if (filter !== "all") index.unshift("type");
  return { selector, sort: [{ sortKey: "asc" }, { id: "asc" }], index, limit };
}
