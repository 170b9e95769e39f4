/** Media as a screen shows them: the replica's rows with the overlay on top (law 1). Pure. */
import type { FeedPage, FeedQuery, MediaView } from "@/data/client-api";
import type { IntentBodies } from "@/data/outbox/intent-bodies";
import type { Overlay, Waiting } from "@/data/outbox/read-overlay";
import type { MediaRow } from "@/data/schema/media";

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
