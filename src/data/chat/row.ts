/** A chat of two, as its participants see it. */
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
} from "@/data/engine/rows";

export interface ConversationRow {
  id: string;
  userA: string;
  userB: string;
  lastMessage: string;
  /** Milliseconds; 0 while nothing was written. */
  lastMessageTime: number;
  lastMessageBy: string;
  messageCount: number;
  unreadA: number;
  unreadB: number;
  createdAt: number;
  sortKey: number;
  seq: number;
}

export const conversationsSchema = defineSchema<ConversationRow>(
  {
    id: id(),
    userA: id(),
    userB: id(),
    lastMessage: text(),
    lastMessageTime: count(),
    lastMessageBy: text(),
    messageCount: count(),
    unreadA: count(),
    unreadB: count(),
    createdAt: count(),
    sortKey: order(),
    seq: count(),
  },
  [["sortKey"]],
);

export function conversationRow(record: RawRecord): ConversationRow | null {
  const conversation = textOf(record, "id");
  const [first = "", second = ""] = conversation.split("_");
  if (first === "" || second === "") return null;
  const createdAt = instantOf(record, "createdAt");
  const lastMessageTime = instantOf(record, "lastMessageTime");
  return {
    id: conversation,
    userA: textOf(record, "userA") || first,
    userB: textOf(record, "userB") || second,
    lastMessage: textOf(record, "lastMessage"),
    lastMessageTime,
    lastMessageBy: textOf(record, "lastMessageBy"),
    messageCount: countOf(record, "messageCount"),
    unreadA: countOf(record, "unreadA"),
    unreadB: countOf(record, "unreadB"),
    createdAt,
    sortKey: newestFirst(lastMessageTime || createdAt),
    seq: countOf(record, "seq"),
  };
}

/** A message of a chat. `ord`, the server's number at insert, orders them. */

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
