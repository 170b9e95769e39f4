/** A chat of two, as its participants see it. */
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
