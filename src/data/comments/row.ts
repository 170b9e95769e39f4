/** Comments and the replies to them, which are comments with a parent, in the replica. */
import type { Collection } from "@/data/engine/noun";
import {
  count,
  countOf,
  defineSchema,
  id,
  instantOf,
  newestFirst,
  order,
  type RawRecord,
  type RowOf,
  rowReader,
  rowWith,
  text,
  textOf,
} from "@/data/engine/rows";

const columns = {
  id: id(),
  mediaId: id(),
  userId: id(),
  username: text(),
  text: text(),
  /** "" for a comment that answers none. */
  parentId: id(),
  replies: count(),
  likes: count(),
  /** Most likes first, and of as many the newest. */
  likesKey: order(),
  /** 0 where nobody has changed its text. */
  editedAt: count(),
  createdAt: count(),
  sortKey: order(),
  seq: count(),
};

export type CommentRow = RowOf<typeof columns>;

declare module "@/data/engine/noun" {
  interface CacheRows {
    comments: CommentRow;
  }
}

const readComment = rowReader<CommentRow>(columns);

/** More are ordered by their time alone. */
const LIKES_MAX = 99_999;
/** In 190 years. */
const MINUTES_MAX = 99_999_999;

const likesKey = (likes: number, createdAt: number): number =>
  (LIKES_MAX - Math.min(likes, LIKES_MAX)) * (MINUTES_MAX + 1) +
  (MINUTES_MAX - Math.floor(createdAt / 60_000));

function commentRow(record: RawRecord): CommentRow | null {
  const createdAt = instantOf(record, "createdAt", "timestamp");
  const given = {
    userId: textOf(record, "userId", "uid"),
    createdAt,
    editedAt: instantOf(record, "editedAt"),
    sortKey: newestFirst(createdAt),
    likesKey: likesKey(countOf(record, "likes"), createdAt),
  };
  return rowWith(readComment(record, given), "id", "mediaId");
}

export const commentCollections = {
  comments: {
    schema: defineSchema<CommentRow>(columns, [
      ["mediaId", "parentId", "sortKey"],
      ["mediaId", "parentId", "likesKey"],
    ]),
    read: commentRow,
    holds: "shown",
    copies: { column: "username", from: "profiles", by: "userId" },
  } satisfies Collection<CommentRow>,
};
