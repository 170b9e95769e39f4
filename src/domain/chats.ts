/** Rules of a conversation of two, shared with the server. Its id holds both user ids (see ids). */
import { PAIR_ID_PATTERN } from "./ids";

/** The last message's kind: "" where there is none (`lastMessageTime` is 0) or it was deleted. */
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

/** Whether a refused message lacks its conversation; older servers said `not_found`. */
export const lacksConversation = (code: string): boolean =>
  code === "no_conversation" || code === "not_found";

export const unreadCountOf = (
  conversation: { userA: string; unreadA: number; unreadB: number },
  me: string,
): number => (conversation.userA === me ? conversation.unreadA : conversation.unreadB);
