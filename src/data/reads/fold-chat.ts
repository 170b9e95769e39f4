/** Conversations and messages as a screen shows them: the replica's rows with what is queued on top (law 1). Pure. */
import type { ConversationView, Counterpart, MessagePage, MessageView } from "@/data/chat-api";
import type { Overlay, WaitingMessage } from "@/data/outbox/read-overlay";
import type { ConversationRow } from "@/data/schema/conversations";
import type { MessageRow } from "@/data/schema/messages";

/** The server's preview of a message that is gone, and of a photo (resolutions 32 and 36). */
export const DELETED_PREVIEW = "This message was deleted";
export const PHOTO_PREVIEW = "Photo";

export interface ChatContext {
  me: string;
  overlay: Overlay;
  /** Whom this person blocked. */
  blocked: ReadonlySet<string>;
  /** Whole address of a path on the server. */
  address: (path: string) => string;
  /** Address of a queued blob by its key; "" where there is none to show. */
  blobUrl: (key: string) => string;
}

type Last = Pick<ConversationView, "lastMessage" | "lastKind" | "lastByMe" | "lastAt" | "pending">;

export interface ConversationSources {
  /** Null for one that only stands in the queue. */
  row: ConversationRow | null;
  other: Counterpart;
  /** The newest message on this device, where one of the conversation's is to be deleted. */
  newest: MessageRow | null;
}

export function foldConversation(
  id: string,
  sources: ConversationSources,
  context: ChatContext,
): ConversationView {
  const { row, other } = sources;
  const { me, overlay } = context;
  const [first = "", second = ""] = id.split("_");
  const unread = row === null ? 0 : row.userA === me ? row.unreadA : row.unreadB;
  const otherId = first === me ? second : first;
  return {
    id,
    otherId,
    other,
    blocked: context.blocked.has(otherId),
    ...lastOf(id, sources, context),
    unread: overlay.reads.has(id) ? 0 : unread,
  };
}

function lastOf(id: string, sources: ConversationSources, context: ChatContext): Last {
  const { overlay } = context;
  const stored = storedLast(sources, context);
  const begun = overlay.conversations.get(id);
  const queued = overlay.messages.get(id)?.at(-1);
  // One that was refused long ago does not hide what was said since.
  if (
    queued !== undefined &&
    (queued.mark.state !== "refused" || queued.createdAt >= stored.lastAt)
  ) {
    const known = sources.newest?.id === queued.body.messageId;
    return { ...queuedLast(queued, overlay), ...(known ? { pending: null } : {}) };
  }
  if (begun === undefined || sources.row !== null) return stored;
  return { ...stored, lastAt: begun.createdAt, pending: begun.mark };
}

function storedLast({ row, newest }: ConversationSources, { me, overlay }: ChatContext): Last {
  if (row === null || row.lastMessageTime === 0) {
    const lastAt = row?.createdAt ?? 0;
    return { lastMessage: "", lastKind: "none", lastByMe: false, lastAt, pending: null };
  }
  const gone = newest !== null && overlay.deletedMessages.has(newest.id);
  return {
    lastMessage: gone ? DELETED_PREVIEW : row.lastMessage,
    lastKind: gone ? "deleted" : kindOf(row.lastMessage),
    lastByMe: row.lastMessageBy === me,
    lastAt: row.lastMessageTime,
    pending: null,
  };
}

const kindOf = (preview: string): ConversationView["lastKind"] =>
  preview === DELETED_PREVIEW ? "deleted" : preview === PHOTO_PREVIEW ? "photo" : "text";

function queuedLast({ body, mark, createdAt }: WaitingMessage, overlay: Overlay): Last {
  const at = { lastByMe: true, lastAt: createdAt, pending: mark };
  if (overlay.deletedMessages.has(body.messageId)) {
    return { ...at, lastMessage: DELETED_PREVIEW, lastKind: "deleted" };
  }
  return "files" in body
    ? { ...at, lastMessage: PHOTO_PREVIEW, lastKind: "photo" }
    : { ...at, lastMessage: body.text, lastKind: "text" };
}

export interface MessageSources {
  /** Newest first, at most as many as were asked for. */
  rows: readonly MessageRow[];
  hasOlder: boolean;
}

/** The page of a conversation. What is queued stands behind what has arrived; what was refused, where it was written. */
export function foldMessages(
  conversationId: string,
  { rows, hasOlder }: MessageSources,
  context: ChatContext,
): MessagePage {
  const known = new Set(rows.map((row) => row.id));
  const items = rows.map((row) => foldMessage(row, context)).reverse();
  const queued = context.overlay.messages.get(conversationId) ?? [];
  for (const waiting of queued) {
    if (known.has(waiting.body.messageId)) continue;
    const view = foldWaiting(waiting, context);
    if (waiting.mark.state === "refused") insertByTime(items, view);
    else items.push(view);
  }
  return { items, hasOlder };
}

function insertByTime(items: MessageView[], view: MessageView): void {
  let at = items.length;
  while (at > 0 && (items[at - 1]?.timestamp ?? 0) > view.timestamp) at -= 1;
  items.splice(at, 0, view);
}

function foldMessage(row: MessageRow, { me, overlay, address }: ChatContext): MessageView {
  const deleted = row.deleted || overlay.deletedMessages.has(row.id);
  const imageUrl = deleted ? "" : address(row.imageUrl);
  return {
    id: row.id,
    conversationId: row.conversationId,
    senderId: row.senderId,
    mine: row.senderId === me,
    message: deleted ? "" : row.message,
    type: row.type,
    imageUrl,
    thumbnailUrl: deleted ? "" : address(row.thumbnailUrl) || imageUrl,
    timestamp: row.timestamp,
    read: row.read,
    deleted,
    pending: null,
  };
}

function foldWaiting(waiting: WaitingMessage, { me, overlay, blobUrl }: ChatContext): MessageView {
  const { body, mark, createdAt } = waiting;
  const files = "files" in body ? body.files : null;
  const deleted = overlay.deletedMessages.has(body.messageId);
  const imageUrl = files === null || deleted ? "" : blobUrl(files.file);
  return {
    id: body.messageId,
    conversationId: body.conversationId,
    senderId: me,
    mine: true,
    message: deleted ? "" : body.text,
    type: files === null ? "text" : "photo",
    imageUrl,
    thumbnailUrl: files === null || deleted ? "" : blobUrl(files.thumbnail) || imageUrl,
    timestamp: body.timestamp ?? Math.floor(createdAt / 1000),
    read: false,
    deleted,
    pending: mark,
  };
}
