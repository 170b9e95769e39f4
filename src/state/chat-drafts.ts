/** What was typed into a chat and not sent: kept over reloads, per person and chat, and gone with the sign-out. */
const PREFIX = "augenblick.chat-draft.";

const keyOf = (conversationId: string): string => `${PREFIX}${conversationId}`;

/** A conversation's id carries its two people, and either of them may use this browser. */
const ownKeyOf = (userId: string, conversationId: string): string =>
  `${keyOf(conversationId)}.${userId}`;

export function readChatDraft(store: Storage, userId: string, conversationId: string): string {
  try {
    return store.getItem(ownKeyOf(userId, conversationId)) ?? "";
  } catch {
    // A browser that denies storage keeps no drafts.
    return "";
  }
}

export interface ChatDraft {
  userId: string;
  conversationId: string;
  text: string;
}

export function writeChatDraft(store: Storage, { userId, conversationId, text }: ChatDraft): void {
  try {
    const key = ownKeyOf(userId, conversationId);
    if (text === "") store.removeItem(key);
    else store.setItem(key, text);
  } catch {
    // Full: the text then lives as long as the page.
  }
}

export function wipeChatDrafts(store: Storage): void {
  const keys = Array.from({ length: store.length }, (_, i) => store.key(i) ?? "");
  for (const key of keys) if (key.startsWith(PREFIX)) store.removeItem(key);
}
