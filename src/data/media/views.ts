/** Media as screens show them: the replica's rows with the overlay on top (law 1). */
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
import type { Scope } from "@/data/engine/context";
import { pullOne } from "@/data/engine/lists";
import { loadedOf, rowOf, rowsOf, sameList, type Views, watchOne } from "@/data/engine/live";
import type { Overlay, Waiting } from "@/data/engine/noun";
import { blockedIds$ } from "@/data/people/views";
import type { FeedPage, FeedQuery, Found, MediaView } from "@/data/shapes";
import { kindOfFilter } from "@/domain/media-files";
import type { MediaToCreate } from "./intents";
import type { LikeRow, MediaRow } from "./row";
import { deepestKey, type FeedBounds, feedQuery, pullOlderMedia } from "./windows";

export interface FoldContext {
  overlay: Overlay;
  /** Media that the server says the person likes. */
  likes: ReadonlySet<string>;
  address: (path: string) => string;
  /** Address of a queued blob by its key; "" where there is none to show. */
  blobUrl: (key: string) => string;
}

export function servedMedia(row: MediaRow, address: FoldContext["address"]): MediaView {
  const url = address(row.url);
  const still = row.type === "photo" ? url : "";
  const { sortKey, popularKey, seq, ...shown } = row;
  return {
    ...shown,
    url,
    thumbnailUrl: address(row.thumbnailUrl) || still,
    previewUrl: address(row.previewUrl) || still,
    liked: false,
    pending: null,
  };
}

/** One medium of the replica with what is queued about it. */
export function foldMedia(row: MediaRow, context: FoldContext): MediaView {
  const { overlay, address } = context;
  const update = overlay.updated.get(row.id);
  const serverLikes = context.likes.has(row.id);
  const liked = overlay.likes.get(row.id) ?? serverLikes;
  return {
    ...servedMedia(row, address),
    ...update?.body.changes,
    liked,
    likes: Math.max(0, row.likes + Number(liked) - Number(serverLikes)),
    comments: Math.max(0, row.comments + extraComments(overlay, row.id)),
    pending: update?.mark ?? null,
  };
}

function extraComments(overlay: Overlay, mediaId: string): number {
  const queued = overlay.comments.get(mediaId) ?? [];
  const shown = queued.filter(({ mark }) => mark.state !== "refused").length;
  return shown - (overlay.fewerComments.get(mediaId) ?? 0);
}

export function foldCreated(created: Waiting<MediaToCreate>, context: FoldContext): MediaView {
  const { body, mark, createdAt } = created;
  const { mediaId, files, ...shown } = body;
  const { overlay, blobUrl } = context;
  const url = blobUrl(files.file);
  const still = body.type === "photo" ? url : "";
  const liked = overlay.likes.get(mediaId) ?? false;
  return {
    ...shown,
    ...overlay.updated.get(mediaId)?.body.changes,
    id: mediaId,
    url,
    thumbnailUrl: blobUrl(files.thumbnail) || still,
    previewUrl: blobUrl(files.preview) || still,
    likes: Number(liked),
    comments: Math.max(0, extraComments(overlay, mediaId)),
    views: 0,
    liked,
    createdAt,
    updatedAt: createdAt,
    pending: mark,
  };
}

/** A page of the feed with queued uploads placed by their time, until their rows come back. */
export function foldFeed(
  rows: readonly MediaRow[],
  query: FeedQuery,
  context: FoldContext,
): FeedPage {
  const known = new Set(rows.map((row) => row.id));
  const { overlay } = context;
  const queued = [...overlay.created.values()]
    .filter(({ body }) => !known.has(body.mediaId) && !overlay.deletedMedia.has(body.mediaId))
    .filter(({ body }) => matches(body, query))
    .map((created) => foldCreated(created, context))
    .sort((a, b) => b.createdAt - a.createdAt);
  const shown = rows
    .filter((row) => !overlay.deletedMedia.has(row.id))
    .map((row) => foldMedia(row, context));
  const all = [...queued, ...shown];
  const items = query.sort === "latest" ? all.sort((a, b) => b.createdAt - a.createdAt) : all;
  return { items: items.slice(0, query.limit), hasMore: items.length >= query.limit };
}

function matches(body: MediaToCreate, query: FeedQuery): boolean {
  if (query.userId !== undefined && body.userId !== query.userId) return false;
  return body.type === (kindOfFilter(query.filter) ?? body.type);
}

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
  return rowsOf<LikeRow>(replica.likes.find()).pipe(
    map((rows) => new Set(rows.map((row) => row.mediaId))),
  );
}

export function createMediaReads({ shared, scope, address, loaded, found }: Views) {
  return {
    watchFeed: (query: FeedQuery) =>
      loaded(`feed ${query.filter} ${query.sort} ${query.limit} ${query.userId ?? ""}`, (open) =>
        watchFeed(open, query, address),
      ),
    watchMedia: (id: string) =>
      found(`media ${id}`, (open) => {
        const ask = () => pullOne(shared.remote, open.replica, { name: "media", id });
        return watchDeleted(open, id).pipe(
          switchMap((deleted) =>
            deleted
              ? of<Found<MediaView>>({ state: "gone" })
              : watchOne(shared, open, watchMedium(open, id, address), ask),
          ),
        );
      }),
    pullOlderMedia: async (query: FeedQuery) => pullOlderMedia(shared.remote, await scope(), query),
  };
}

const watchDeleted = ({ overlay$ }: Scope, id: string): Observable<boolean> =>
  overlay$.pipe(
    map(({ deletedMedia }) => deletedMedia.has(id)),
    distinctUntilChanged(),
  );

/** Null while neither the replica nor the queue has it. */
function watchMedium(scope: Scope, id: string, address: (path: string) => string) {
  const row$ = rowOf<MediaRow>(scope.replica.media.findOne(id));
  return combineLatest([row$, foldContext$(scope, address)]).pipe(
    map(([row, context]) => {
      if (row !== null) return foldMedia(row, context);
      const created = context.overlay.created.get(id);
      return created === undefined ? null : foldCreated(created, context);
    }),
  );
}

function watchFeed(scope: Scope, query: FeedQuery, address: (path: string) => string) {
  const rows$ = bounds$(scope, query).pipe(
    switchMap((bounds) => rowsOf<MediaRow>(scope.replica.media.find(feedQuery(query, bounds)))),
    tap((rows) => scope.shown(rows.map((row) => row.id))),
  );
  return combineLatest([rows$, foldContext$(scope, address), scope.status$]).pipe(
    map(([rows, context, status]) => {
      const page = foldFeed(rows, query, context);
      return loadedOf(page, page.items.length > 0, status);
    }),
  );
}

function bounds$(scope: Scope, query: FeedQuery): Observable<FeedBounds> {
  const people$ = query.userId === undefined ? blockedIds$(scope) : of([]);
  const media$ = scope.overlay$.pipe(
    map(({ deletedMedia }) => [...deletedMedia].sort()),
    distinctUntilChanged(sameList),
  );
  const deepest$ = scope.device.windows$.pipe(
    map((windows) => deepestKey(windows, query)),
    distinctUntilChanged(),
  );
  return combineLatest([people$, media$, deepest$]).pipe(
    map(([people, media, deepest]) => ({ people, media, deepest })),
  );
}
