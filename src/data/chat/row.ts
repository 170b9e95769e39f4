/** What the replica holds of chats: conversations of two, and their messages. */
import type { Collection } from "@/data/engine/noun";
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
  type RowOf,
  rowReader,
  rowWith,
  text,
  textOf,
} from "@/data/engine/rows";
import { parseLastMessageType, peopleOf } from "@/domain/chats";

const conversationColumns = {
  id: id(),
  userA: id(),
  userB: id(),
  lastMessage: text(),
  /** "text" or "photo"; "" before the first message, and where the last one was deleted. */
  lastMessageType: text(),
  lastMessageTime: count(),
  lastMessageBy: text(),
  messageCount: count(),
  unreadA: count(),
  unreadB: count(),
  createdAt: count(),
  sortKey: order(),
  seq: count(),
};
const messageColumns = {
  id: id(),
  conversationId: id(),
  senderId: id(),
  recipientId: id(),
  message: text(),
  type: text(),
  /** Paths of protected files: to be asked for with a file token. */
  imageUrl: text(),
  thumbnailUrl: text(),
  /** Seconds since 1970 (specification §3). */
  timestamp: count(),
  read: flag(),
  deleted: flag(),
  deletedAt: count(),
  /** The server's number at insert: the order of a conversation. */
  ord: count(),
  sortKey: order(),
  seq: count(),
};

export type ConversationRow = RowOf<typeof conversationColumns>;
export type MessageRow = RowOf<typeof messageColumns> & { type: "text" | "photo" };

declare module "@/data/engine/noun" {
  interface CacheRows {
    conversations: ConversationRow;
    messages: MessageRow;
  }
}

const readConversation = rowReader<ConversationRow>(conversationColumns);
const readMessage = rowReader<MessageRow>(messageColumns);

function conversationRow(record: RawRecord): ConversationRow | null {
  const [first, second] = peopleOf(textOf(record, "id"));
  if (first === undefined || second === undefined) return null;
  const createdAt = instantOf(record, "createdAt");
  const lastMessageTime = instantOf(record, "lastMessageTime");
  return readConversation(record, {
    userA: textOf(record, "userA") || first,
    userB: textOf(record, "userB") || second,
    lastMessageType: parseLastMessageType(record["lastMessageType"]),
    lastMessageTime,
    createdAt,
    sortKey: newestFirst(lastMessageTime || createdAt),
  });
}

export function messageRow(record: RawRecord): MessageRow | null {
  const id = textOf(record, "id");
  const row = readMessage(record, {
    type: record["type"] === "photo" ? "photo" : "text",
    imageUrl: filePath("messages", id, textOf(record, "image")),
    thumbnailUrl: filePath("messages", id, textOf(record, "thumbnail")),
    deletedAt: instantOf(record, "deletedAt"),
    sortKey: newestFirst(countOf(record, "ord")),
  });
  return rowWith(row, "id", "conversationId");
}

export const chatCollections = {
  // Before their conversations: people wait for the words.
  messages: {
    schema: defineSchema<MessageRow>(messageColumns, [["conversationId", "sortKey"]]),
    read: messageRow,
    files: ["imageUrl", "thumbnailUrl"],
    holds: "shown",
  } satisfies Collection<MessageRow>,
  conversations: {
    schema: defineSchema<ConversationRow>(conversationColumns, [["sortKey"]]),
    read: conversationRow,
    holds: "own",
  } satisfies Collection<ConversationRow>,
};
