/** The gallery's and the profiles' lists, live. */

import {
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
  tap,
} from "rxjs";
import type { FeedPage, FeedQuery, Loaded } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import { deepestKey } from "@/data/replica/list-windows";
import type { MediaRow } from "@/data/schema/media";
import { type FeedBounds, feedQuery } from "./feed-query";
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
  const rows$ = bounds$(scope, query).pipe(
    switchMap((bounds) => scope.replica.media.find(feedQuery(query, bounds)).$),
    map((docs) => docs.map((doc) => doc.toJSON() as MediaRow)),
    tap((rows) => scope.shown(rows.map((row) => row.id))),
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

function bounds$(scope: Scope, query: FeedQuery): Observable<FeedBounds> {
  const people$ = query.userId === undefined ? blockedIds$(scope) : of([]);
  const media$ = scope.overlay$.pipe(
    map(({ deletedMedia }) => [...deletedMedia].sort()),
    distinctUntilChanged((a, b) => a.join() === b.join()),
  );
  const deepest$ = scope.device.windows$.pipe(
    map((windows) => deepestKey(windows, query)),
    distinctUntilChanged(),
  );
  return combineLatest([people$, media$, deepest$]).pipe(
    map(([people, media, deepest]) => ({ people, media, deepest })),
  );
}
