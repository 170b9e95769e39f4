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
  tap,
} from "rxjs";
import type { IntentBodies } from "@/data/engine/intents";
import type { Overlay, Waiting } from "@/data/engine/overlay";
import type { Scope } from "@/data/engine/scope";
import type { FeedPage, FeedQuery, Loaded, MediaView } from "@/data/shapes";
import { deepestKey } from "./held";
import type { MediaRow } from "./row";

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

/** Media as a screen shows them: the replica's rows with the overlay on top (law 1). Pure. */

export interface FoldContext {
  overlay: Overlay;
  /** Media that the server says the person likes. */
  likes: ReadonlySet<string>;
  /** Whole address of a path on the server. */
  address: (path: string) => string;
  /** Address of a queued blob by its key; "" where there is none to show. */
  blobUrl: (key: string) => string;
}

/** One medium as the server tells it to everybody. */
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
    comments: Math.max(0, row.comments + commentsMore(overlay, row.id)),
    pending: update?.mark ?? null,
  };
}

/** Queued comments less those that are to go. */
function commentsMore(overlay: Overlay, mediaId: string): number {
  const queued = overlay.comments.get(mediaId) ?? [];
  const standing = queued.filter(({ mark }) => mark.state !== "refused").length;
  return standing - (overlay.commentsLess.get(mediaId) ?? 0);
}

/** A medium that only stands in the queue. */
export function foldCreated(
  created: Waiting<IntentBodies["media.create"]>,
  context: FoldContext,
): MediaView {
  const { body, mark, createdAt } = created;
  const { files } = body;
  const changes = context.overlay.updated.get(body.mediaId)?.body.changes;
  const url = context.blobUrl(files.file);
  const still = body.type === "photo" ? url : "";
  const liked = context.overlay.likes.get(body.mediaId) ?? false;
  return {
    id: body.mediaId,
    userId: body.userId,
    username: body.username,
    caption: changes?.caption ?? body.caption,
    tags: changes?.tags ?? body.tags,
    alt: changes?.alt ?? body.alt,
    type: body.type,
    url,
    thumbnailUrl: context.blobUrl(files.thumbnail) || still,
    previewUrl: context.blobUrl(files.preview) || still,
    width: body.width,
    height: body.height,
    duration: body.duration,
    thumbhash: body.thumbhash,
    originalFilename: body.originalFilename,
    fileSize: body.fileSize,
    contentType: body.contentType,
    likes: Number(liked),
    comments: Math.max(0, commentsMore(context.overlay, body.mediaId)),
    views: 0,
    liked,
    createdAt,
    updatedAt: createdAt,
    pending: mark,
  };
}

/**
 * A page of the feed. `rows` are the replica's, already filtered and in the query's order, at most
 * `query.limit` of them. What is queued stands among them by its time; a row that came back wins.
 */
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
  const items = query.sort === "latest" ? mergeNewest(queued, shown) : [...queued, ...shown];
  return { items: items.slice(0, query.limit), hasMore: items.length >= query.limit };
}

function matches(body: IntentBodies["media.create"], query: FeedQuery): boolean {
  if (query.userId !== undefined && body.userId !== query.userId) return false;
  if (query.filter === "all") return true;
  return body.type === (query.filter === "photos" ? "photo" : "video");
}

function mergeNewest(queued: MediaView[], shown: MediaView[]): MediaView[] {
  return [...queued, ...shown].sort((a, b) => b.createdAt - a.createdAt);
}

/** The replica's question for a list of media. */

export interface FeedBounds {
  /** People and media that the list leaves out. */
  people?: string[];
  media?: string[];
  /** The largest sort key to show, or null (see replica/list-windows). */
  deepest?: number | null;
}

/** Ascending indexes only: a descending sort reads the whole table in this storage (platform facts). */
export function feedQuery(query: FeedQuery, bounds: FeedBounds): MangoQuery<MediaRow> {
  const { userId, filter, sort, limit } = query;
  const { people = [], media = [], deepest = null } = bounds;
  const type = filter === "photos" ? "photo" : "video";
  const selector = {
    ...(userId === undefined ? {} : { userId }),
    ...(filter === "all" ? {} : { type }),
    ...(people.length === 0 ? {} : { userId: { $nin: people } }),
    ...(media.length === 0 ? {} : { id: { $nin: media } }),
    ...(deepest === null || sort === "popular" ? {} : { sortKey: { $lte: deepest } }),
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
