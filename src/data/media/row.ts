/** A medium in the replica. For older records see domain/older-media. */
import type { Collection } from "@/data/engine/noun";
import {
  count,
  countOf,
  defineSchema,
  filePath,
  flag,
  id,
  list,
  newestFirst,
  order,
  pairColumns,
  pairReader,
  type RawRecord,
  type RowOf,
  rowWith,
  text,
  textOf,
} from "@/data/engine/rows";
import type { MediaKind } from "@/domain/media-files";
import { plainMedia } from "@/domain/older-media";

const columns = {
  id: id(),
  userId: id(),
  username: text(),
  caption: text(),
  tags: list(),
  type: text(5),
  /** Paths on the server, or whole addresses in older records; "" when there is none. */
  url: text(),
  thumbnailUrl: text(),
  previewUrl: text(),
  subtitlesUrl: text(),
  width: count(),
  height: count(),
  duration: count(),
  thumbhash: text(),
  alt: text(),
  originalFilename: text(),
  fileSize: count(),
  contentType: text(),
  likes: count(),
  comments: count(),
  commentsClosed: flag(),
  views: count(),
  createdAt: count(),
  updatedAt: count(),
  /** The post that it is part of, "" for a medium by itself, and its place there, 0 to 9. */
  post: text(15),
  postIndex: count(),
  /** Newest first; most liked, then most viewed first. Ascending indexes (platform facts, RxDB). */
  sortKey: order(),
  popularKey: order(),
  seq: count(),
};

export type MediaRow = RowOf<typeof columns> & { type: MediaKind };

const schema = defineSchema<MediaRow>(columns, [
  ["sortKey", "id"],
  ["type", "sortKey", "id"],
  ["userId", "sortKey", "id"],
  ["popularKey", "sortKey", "id"],
  ["post", "id"],
]);

/** `mediaId` is that of a medium, or of a comment. */
const likeColumns = { ...pairColumns, mediaId: id(), userId: id() };

export type LikeRow = RowOf<typeof likeColumns>;

declare module "@/data/engine/noun" {
  interface CacheRows {
    media: MediaRow;
    likes: LikeRow;
  }
}

const VIEWS_MAX = 9_999_999;
const LIKES_MAX = 99_999;

/** Likes decide, then views (resolution 21); the index's second field puts newer ones first. */
export function popularKey(likes: number, views: number): number {
  const weight =
    Math.min(likes, LIKES_MAX) * (VIEWS_MAX + 1) + Math.min(Math.max(0, views), VIEWS_MAX);
  return newestFirst(weight);
}

/** Null without identity or file. Field by field, because a rest object costs ten times as much. */
export function mediaRow(record: RawRecord): MediaRow | null {
  const plain = plainMedia(record);
  const url = filePath("media", plain.id, plain.file);
  if (plain.id === "" || url === "") return null;
  const likes = countOf(record, "likes");
  const views = countOf(record, "views");
  return {
    id: plain.id,
    userId: plain.userId,
    username: plain.username,
    caption: plain.caption,
    tags: plain.tags,
    type: plain.type,
    url,
    thumbnailUrl: filePath("media", plain.id, plain.thumbnail),
    previewUrl: filePath("media", plain.id, plain.preview),
    subtitlesUrl: filePath("media", plain.id, textOf(record, "subtitles")),
    width: countOf(record, "width"),
    height: countOf(record, "height"),
    duration: countOf(record, "duration"),
    thumbhash: textOf(record, "thumbhash"),
    alt: plain.alt,
    originalFilename: plain.originalFilename,
    fileSize: countOf(record, "fileSize"),
    contentType: plain.contentType,
    likes,
    comments: countOf(record, "comments"),
    commentsClosed: record["commentsClosed"] === true,
    views,
    createdAt: plain.createdAt,
    updatedAt: plain.updatedAt,
    post: textOf(record, "post"),
    postIndex: countOf(record, "postIndex"),
    sortKey: newestFirst(plain.createdAt),
    popularKey: popularKey(likes, views),
    seq: countOf(record, "seq"),
  };
}

const readLike = pairReader<LikeRow>(likeColumns);

const likeRow = (record: RawRecord): LikeRow | null =>
  rowWith(
    readLike({ ...record, mediaId: textOf(record, "mediaId", "commentId") }),
    "id",
    "mediaId",
  );

export const mediaCollections = {
  media: {
    schema,
    read: mediaRow,
    files: ["url", "thumbnailUrl", "previewUrl", "subtitlesUrl"],
    holds: "shown",
    copies: { column: "username", from: "profiles", by: "userId" },
    subject: ({ caption, thumbnailUrl, type }, address) => ({
      name: caption,
      isVideo: type === "video",
      picture: address(thumbnailUrl),
    }),
  } satisfies Collection<MediaRow>,
  likes: {
    schema: defineSchema<LikeRow>(likeColumns),
    read: likeRow,
    holds: "own",
  } satisfies Collection<LikeRow>,
};
