/** A comment on a medium. */
import {
  count,
  countOf,
  defineSchema,
  id,
  instantOf,
  newestFirst,
  order,
  type RawRecord,
  text,
  textOf,
} from "./define-schema";

export interface CommentRow {
  id: string;
  mediaId: string;
  userId: string;
  username: string;
  text: string;
  createdAt: number;
  sortKey: number;
  seq: number;
}

export const commentsSchema = defineSchema<CommentRow>(
  {
    id: id(),
    mediaId: id(),
    userId: id(),
    username: text(),
    text: text(),
    createdAt: count(),
    sortKey: order(),
    seq: count(),
  },
  [["mediaId", "sortKey"]],
);

export function commentRow(record: RawRecord): CommentRow | null {
  const mediaId = textOf(record, "mediaId");
  if (textOf(record, "id") === "" || mediaId === "") return null;
  const createdAt = instantOf(record, "createdAt", "timestamp");
  return {
    id: textOf(record, "id"),
    mediaId,
    userId: textOf(record, "userId", "uid"),
    username: textOf(record, "username"),
    text: textOf(record, "text"),
    createdAt,
    sortKey: newestFirst(createdAt),
    seq: countOf(record, "seq"),
  };
}
