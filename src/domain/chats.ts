/**
 * Rules of a conversation of two that both sides need: who is in it, whose unread counter is
 * whose, and what time a message carries. A conversation's id holds both user ids (see ids).
 */
import { PAIR_ID_PATTERN } from "./ids";

/**
 * The kind of a conversation's last message, from its field `lastMessageType`. It is empty where
 * there is no message yet and where the last one was deleted; `lastMessageTime`, which is 0 without
 * a message, tells these two apart.
 */
export const parseLastMessageType = (value: unknown): "" | "text" | "photo" =>
  value === "text" || value === "photo" ? value : "";

/** The two people in a conversation's id; empty for a text that is no such id. */
export const peopleOf = (conversationId: string): string[] =>
  PAIR_ID_PATTERN.test(conversationId) ? conversationId.split("_") : [];

/** The one of the two who is not `me`, or null when `me` is not in the conversation. */
export function otherPersonOf(conversationId: string, me: string): string | null {
  const people = peopleOf(conversationId);
  if (!people.includes(me)) return null;
  return people.find((id) => id !== me) ?? null;
}

/**
 * Whether this refusal of a message means that its conversation does not exist. Queued rows that an
 * older server refused say `not_found`.
 */
export const lacksConversation = (code: string): boolean =>
  code === "no_conversation" || code === "not_found";

/** How many messages of the conversation `me` has not read. */
export const unreadCountOf = (
  conversation: { userA: string; unreadA: number; unreadB: number },
  me: string,
): number => (conversation.userA === me ? conversation.unreadA : conversation.unreadB);
