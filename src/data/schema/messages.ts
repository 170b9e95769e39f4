/** A message of a chat. `ord`, the server's number at insert, orders them. */
import {
  count,
  countOf,
  defineSchema,
  filePath,
  flag,
  id,
  instantOf,
  newestFirst,
  order,
  type RawRecord,
  text,
  textOf,
} from "./define-schema";

export interface MessageRow {
  id: string;
  conversationId: string;
  senderId: string;
  recipientId: string;
  message: string;
  type: "text" | "photo";
  /** Paths of protected files: to be asked for with a file token. */
  imageUrl: string;
  thumbnailUrl: string;
  /** Seconds since 1970 (specification §3). */
  timestamp: number;
  read: boolean;
  deleted: boolean;
  deletedAt: number;
  ord: number;
  sortKey: number;
  seq: number;
}

export const messagesSchema = defineSchema<MessageRow>(
  {
    id: id(),
    conversationId: id(),
    senderId: id(),
    recipientId: id(),
    message: text(),
    type: text(),
    imageUrl: text(),
    thumbnailUrl: text(),
    timestamp: count(),
    read: flag(),
    deleted: flag(),
    deletedAt: count(),
    ord: count(),
    sortKey: order(),
    seq: count(),
  },
  [["conversationId", "sortKey"]],
);

export function messageRow(record: RawRecord): MessageRow | null {
  const messageId = textOf(record, "id");
  const conversationId = textOf(record, "conversationId");
  if (messageId === "" || conversationId === "") return null;
  const ord = countOf(record, "ord");
  return {
    id: messageId,
    conversationId,
    senderId: textOf(record, "senderId"),
    recipientId: textOf(record, "recipientId"),
    message: textOf(record, "message"),
    type: record["type"] === "photo" ? "photo" : "text",
    imageUrl: filePath("messages", messageId, textOf(record, "image")),
    thumbnailUrl: filePath("messages", messageId, textOf(record, "thumbnail")),
    timestamp: countOf(record, "timestamp"),
    read: record["read"] === true,
    deleted: record["deleted"] === true,
    deletedAt: instantOf(record, "deletedAt"),
    ord,
    sortKey: newestFirst(ord),
    seq: countOf(record, "seq"),
  };
}
