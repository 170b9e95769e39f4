/**
 * What can be done in a chat offline, one object per kind of intent; the callable writes are at the
 * end. Messages are sent strictly in their order, in the conversation's lane.
 */
import { type Answer, isRecord, type Refusal, toFailure } from "@/data/engine/answers";
import { type Acts, keysOf } from "@/data/engine/enqueue";
import { cacheMark } from "@/data/engine/file-token";
import { pullOne } from "@/data/engine/lists";
import {
  defineChange,
  defineKind,
  type IntentBodies,
  type Recovery,
  type Sending,
  type Sent,
  type Waiting,
} from "@/data/engine/noun";
import { readLane } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { records } from "@/data/engine/remote";
import { isBare } from "@/data/engine/send";
import { keepSent, sendAndFinish } from "@/data/files/send";
import { personLane } from "@/data/people/intents";
import type { ChatPhoto } from "@/data/shapes";
import { lacksConversation, otherPersonOf, unreadCountOf } from "@/domain/chats";
import { conversationId, newId, pairId } from "@/domain/ids";
import { IMAGE_MAX_BYTES, MESSAGE_MAX, UPLOAD_RETRY_MS } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import { secondsOf } from "@/domain/times";
import { messageRow } from "./row";

interface InChat {
  conversationId: string;
}

interface Written extends InChat {
  messageId: string;
  userId: string;
  text: string;
  /** When it was written, seconds. */
  timestamp: number;
}

declare module "@/data/engine/noun" {
  interface IntentBodies {
    "conversation.create": InChat & { userId: string; otherId: string };
    /** `seen`: ids of what had been read when the server's history changed. */
    "conversation.read": InChat & { seen?: string[] };
    "message.send": Written;
    "message.photo": Written & {
      contentType: string;
      originalFilename: string;
      /** Keys in the device store; "" for a thumbnail that could not be made. */
      files: { file: string; thumbnail: string };
    };
    "message.delete": InChat & { messageId: string };
  }
  interface Overlay {
    conversations: ReadonlyMap<string, Waiting<IntentBodies["conversation.create"]>>;
    /** By conversation id, in the order in which they were written. */
    messages: ReadonlyMap<string, WaitingMessage[]>;
    deletedMessages: ReadonlySet<string>;
    /** By conversation id: when it was last read here, milliseconds since 1970. */
    reads: ReadonlyMap<string, number>;
  }
}

type Photo = IntentBodies["message.photo"];

export type WaitingMessage = Waiting<Written | Photo>;

export const emptyChatOverlay = () => ({
  conversations: new Map(),
  messages: new Map(),
  deletedMessages: new Set<string>(),
  reads: new Map(),
});

const conversation = (body: InChat) =>
  ({ name: "conversations", id: body.conversationId }) as const;
const inChat = {
  lane: (body: InChat) => `chat:${body.conversationId}`,
  subject: (body: InChat, me: string) =>
    ({ name: "profiles", id: otherPersonOf(body.conversationId, me) ?? "" }) as const,
};

const begin = defineKind<"conversation.create">({
  ...inChat,
  kind: "conversation.create",
  needs: ["conversationId", "userId", "otherId"],
  // In a community where only those talk who follow each other, a follow counts too.
  after: ({ userId, otherId }) =>
    (["blocks", "follows"] as const).map((name) => ({ name, id: pairId(userId, otherId) })),
  target: (body) => body.conversationId,
  request: ({ conversationId, userId, otherId }) => ({
    path: records("conversations"),
    method: "POST",
    body: { id: conversationId, participants: [userId, otherId].sort() },
  }),
  duplicateSettles: () => true,
  lay: (overlay, waiting) => overlay.conversations.set(waiting.body.conversationId, waiting),
  makes: (body) => ({ ...conversation(body), on: true }),
});

const written = {
  ...inChat,
  after: ({ conversationId, userId }: Written) => {
    const otherId = otherPersonOf(conversationId, userId) ?? "";
    return [{ name: "blocks", id: pairId(userId, otherId) } as const];
  },
  target: ({ messageId }: Written) => messageId,
  makes: ({ messageId }: Written) => ({ name: "messages", id: messageId, on: true }) as const,
  /** A message needs its conversation, whichever of the two began it. */
  requires: (body: Written) => {
    const { conversationId, userId } = body;
    const otherId = otherPersonOf(conversationId, userId) ?? "";
    const made = {
      kind: "conversation.create",
      body: { conversationId, userId, otherId },
    } as const;
    return { row: conversation(body), made };
  },
  lacks: lacksConversation,
  lay({ messages }: { messages: Map<string, WaitingMessage[]> }, waiting: WaitingMessage) {
    const { conversationId } = waiting.body;
    messages.set(conversationId, [...(messages.get(conversationId) ?? []), waiting]);
  },
  staysWhenRefused: true,
  label: ({ text }: Written) => text,
} as const;

const send = defineKind<"message.send">({
  ...written,
  kind: "message.send",
  needs: ["messageId", "conversationId", "userId", "text"],
  request: ({ messageId, conversationId, userId, text, timestamp }) => ({
    path: records("messages"),
    method: "POST",
    body: {
      id: messageId,
      conversationId,
      senderId: userId,
      message: text,
      type: "text",
      timestamp,
    },
  }),
  duplicateSettles: ({ messageId, conversationId, userId }) => ({
    path: records("messages", messageId),
    equal: { conversationId, senderId: userId },
  }),
  // Version 0 did not note when a text was written; the time of its queuing is that time.
  upgrade: (row, from) =>
    from < 1 && typeof row.body["timestamp"] !== "number"
      ? { ...row, body: { ...row.body, timestamp: secondsOf(row.createdAt) } }
      : row,
});

const photo = defineKind<"message.photo">({
  ...written,
  kind: "message.photo",
  needs: ["messageId", "conversationId", "userId"],
  priority: () => 1,
  retryMs: UPLOAD_RETRY_MS,
  send: sendPhotoFile,
  onSent: keepSentPhoto,
  files: ({ files }) => Object.values(files).filter((key) => key !== ""),
  pictures: ({ files }) => [files.thumbnail, files.file],
});

const remove = defineKind<"message.delete">({
  ...inChat,
  kind: "message.delete",
  needs: ["messageId", "conversationId"],
  target: ({ messageId }) => messageId,
  request: ({ messageId }) => ({
    path: records("messages", messageId),
    method: "PATCH",
    body: { deleted: true },
  }),
  goneSettles: () => true,
  lay: (overlay, { body }) => overlay.deletedMessages.add(body.messageId),
  change: { isLost: () => true },
  undoes: (later, row) =>
    (row.kind === send.kind || row.kind === photo.kind) && row.target === later.target,
  deletes: true,
});

const read = defineKind<"conversation.read">({
  ...inChat,
  kind: "conversation.read",
  needs: ["conversationId"],
  target: (body) => body.conversationId,
  toggle: true,
  request: ({ conversationId }) => ({
    path: `/api/conversations/${conversationId}/read`,
    method: "POST",
  }),
  goneSettles: () => true,
  lay: (overlay, { body, createdAt }) => overlay.reads.set(body.conversationId, createdAt),
  change: defineChange<IntentBodies["conversation.read"], string[]>({
    before: (recovery, { conversationId }) => theirMessages(recovery, conversationId, true),
    remember: (seen) => (seen.length > 0 ? { seen } : null),
    // Only where nothing would be marked that this person has not seen.
    async isLost(recovery, { conversationId, seen }, { before, isAcked }) {
      const row = await recovery.replica.conversations.findOne(conversationId).exec();
      if (row === null) return false;
      const known = new Set((isAcked ? seen : undefined) ?? before);
      const unread = await theirMessages(recovery, conversationId, false);
      const again = unread.filter((id) => known.has(id)).length;
      return again > 0 && again === unreadCountOf(row, recovery.userId ?? "");
    },
  }),
});

export const chatKinds = [begin, send, photo, remove, read];

async function theirMessages(
  { replica, userId }: Pick<Recovery, "replica" | "userId">,
  conversationId: string,
  isRead: boolean,
): Promise<string[]> {
  const found = await replica.messages.find({ selector: { conversationId } }).exec();
  return found.filter((doc) => doc.senderId !== userId && doc.read === isRead).map(({ id }) => id);
}

function sendPhotoFile(sending: Sending, body: Photo): Promise<Answer> {
  return sendAndFinish(
    sending,
    { ...body, key: body.files.file },
    {
      path: "/api/messages/photo",
      form: (uploadId) => finishForm(sending, body, uploadId),
      isFinal: isAboutTheChat,
    },
  );
}

/** The conversation or the other person is gone, and not the upload (pb_hooks/src/chat.ts). */
const isAboutTheChat = ({ code }: Refusal): boolean =>
  code === "gone" || code === "no_conversation";

async function finishForm({ device }: Sending, body: Photo, uploadId: string): Promise<FormData> {
  const form = new FormData();
  const fields = {
    id: body.messageId,
    uploadId,
    conversationId: body.conversationId,
    message: body.text,
    timestamp: String(body.timestamp),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const key = body.files.thumbnail;
  const thumbnail = key === "" ? null : await device.readBlob(key);
  if (thumbnail !== null) form.set("thumbnail", thumbnail, "thumbnail.jpg");
  return form;
}

async function keepSentPhoto(sent: Sent, body: Photo, record: unknown): Promise<void> {
  const row = isRecord(record) ? messageRow(record) : null;
  if (row === null) return;
  const { userId, files } = body;
  const addressOf = (url: string) => (url === "" ? "" : `${url}?token=${cacheMark(userId)}`);
  const kept = [
    { url: addressOf(row.imageUrl), key: files.file },
    { url: addressOf(row.thumbnailUrl), key: files.thumbnail },
  ];
  // It may be evicted, and goes with the login.
  await keepSent(sent, kept, { evictable: true });
}

export function createChatWrites(acts: Acts) {
  return {
    createOrGetConversation: (userId: string) => startChat(acts, userId),
    sendTextMessage: (chatId: string, text: string) => sendText(acts, chatId, text),
    /** `photo` is prepared like an upload: checked, and without its camera data. */
    sendPhotoMessage: (chatId: string, photo: ChatPhoto, text = "") =>
      sendPhoto(acts, chatId, photo, text.trim()),
    deleteMessage: (chatId: string, messageId: string) => deleteMessage(acts, chatId, messageId),
    async markMessagesRead(chatId: string) {
      const queued = await acts.enqueueAs(() => ({
        kind: "conversation.read",
        body: { conversationId: chatId },
      }));
      const user = acts.user();
      if (queued.success && user !== null) {
        acts.shared.emit({ type: "messages-read", conversationId: chatId, userId: user.id });
      }
      return queued;
    },
  };
}

/** `no_message` where neither this device nor the server has it; what cannot be asked is queued. */
async function deleteMessage(
  acts: Acts,
  conversationId: string,
  messageId: string,
): Promise<Result<{ intentId: string }>> {
  const { replica } = await acts.scope();
  const isHere =
    (await replica.messages.findOne(messageId).exec()) !== null ||
    (await replica.outbox.findOne({ selector: { target: messageId } }).exec()) !== null;
  const asked = isHere
    ? null
    : await pullOne(acts.shared.remote, replica, { name: "messages", id: messageId });
  if (asked?.state === "gone") return failed("no_message", "Message not found");
  return acts.enqueueAs(() => ({ kind: "message.delete", body: { conversationId, messageId } }));
}

/**
 * Asked at once, so that a refusal is shown right there; queued only without a clear answer, or
 * behind what the answer depends on.
 */
async function startChat(acts: Acts, otherId: string): Promise<Result<{ conversationId: string }>> {
  const user = acts.user();
  if (user === null) return failed("unauthenticated");
  if (user.id === otherId) return failed("self");
  const id = conversationId(user.id, otherId);
  const started = ok({ conversationId: id });
  const { replica } = await acts.scope();
  if ((await replica.conversations.findOne(id).exec()) !== null) return started;
  const body = { conversationId: id, userId: user.id, otherId };
  if (!(await isActedOn(acts, user.id, otherId))) {
    const { remote } = acts.shared;
    const answer = await remote.request(records("conversations"), begin.request?.(body));
    if (answer.kind === "accepted") return started;
    // The queue finds out whether a no without a code was one.
    if (answer.kind === "refusal" && !isBare(answer)) {
      const failure = toFailure(answer);
      return failure.error === "duplicate" ? started : failure;
    }
  }
  const queued = await acts.enqueue({ kind: "conversation.create", body });
  return queued.success ? started : queued;
}

/** Whether the server is still to hear of a block or a follow, or of the end of one. */
async function isActedOn(acts: Acts, userId: string, otherId: string): Promise<boolean> {
  const { replica } = await acts.scope();
  const lane = personLane(otherId);
  const isWaiting = ({ state }: OutboxRow) => state === "pending" || state === "sending";
  const unwritten = acts.shared.pending.rows(userId).some((row) => row.lane === lane);
  return unwritten || (await readLane(replica, lane)).some(isWaiting);
}

async function sendText(acts: Acts, chatId: string, words: string) {
  const text = words.trim();
  if (isBlank(text)) return failed("text_empty");
  if (text.length > MESSAGE_MAX) return failed("text_long");
  const { random, now } = acts.shared.deps;
  const messageId = newId(random);
  const timestamp = secondsOf(now());
  const queued = await acts.enqueueAs(({ id: userId }) => ({
    kind: "message.send",
    body: { messageId, conversationId: chatId, userId, text, timestamp },
  }));
  return queued.success ? ok({ messageId }) : queued;
}

async function sendPhoto(acts: Acts, chatId: string, chosen: ChatPhoto, text: string) {
  const user = acts.user();
  if (user === null) return failed("unauthenticated");
  const { file, thumbnail, contentType, originalFilename } = chosen;
  if (file.size === 0) return failed("file_empty");
  if (file.size > IMAGE_MAX_BYTES) return failed("image_too_large");
  if (text.length > MESSAGE_MAX) return failed("text_long");
  const { now, random } = acts.shared.deps;
  const messageId = newId(random);
  const { keys: files, blobs } = keysOf(messageId, { file, thumbnail });
  const body: Photo = {
    messageId,
    conversationId: chatId,
    userId: user.id,
    text,
    timestamp: secondsOf(now()),
    contentType,
    originalFilename,
    files,
  };
  const queued = await acts.enqueue({ kind: "message.photo", body }, blobs);
  return queued.success ? ok({ messageId }) : queued;
}
