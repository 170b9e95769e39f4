/**
 * The kinds of intents and what each needs: who stands in whose way, what is asked of the server, and which
 * answers besides a yes mean that it is done. Rows with these words are on users' devices: add, never rename.
 */

import { sendMedia, sendPhotoMessage } from "@/data/files/send";
import { pairId } from "@/domain/ids";
import { OPERATION_RETRY_MS, UPLOAD_RETRY_MS } from "@/domain/limits";
import type { MediaKind } from "@/domain/media-files";
import type { Answer } from "./answers";
import type { ClientDeps } from "./context";
import type { DeviceStore } from "./device-store";
import type { OutboxRow } from "./outbox-row";
import type { Remote, RequestOptions } from "./remote";
import type { Replica } from "./store";

export type IntentKind = keyof IntentBodies;
export type Intent = {
  [Kind in IntentKind]: { kind: Kind; body: IntentBodies[Kind] };
}[IntentKind];

interface Ask extends RequestOptions {
  path: string;
}

interface KindRule<Body> {
  /** Text fields without which a stored row cannot be read. */
  needs: (keyof Body & string)[];
  lane: (body: Body) => string;
  /** What a newer toggle of the same kind replaces. */
  target: (body: Body) => string;
  toggle: boolean;
  /** 0 goes first. */
  priority: (body: Body) => number;
  /** Milliseconds of online time after which it stops trying by itself (specification §9). */
  retryMs: number;
  /** Absent for what is sent in its own way. */
  ask?: (body: Body) => Ask;
  /** 404 says that it is as wanted. */
  goneIsDone?: (body: Body) => boolean;
  /** A taken id says that it is as wanted; "compare" where the id alone does not tell whose it is. */
  duplicate?: (body: Body) => "done" | { path: string; equal: Record<string, string> };
}

const records = (collection: string, id?: string): string =>
  `/api/collections/${collection}/records${id === undefined ? "" : `/${id}`}`;

const plain = { toggle: false, priority: () => 0, retryMs: OPERATION_RETRY_MS };
const mediaLane = (body: { mediaId: string }): string => `media:${body.mediaId}`;
const chatLane = (body: { conversationId: string }): string => `chat:${body.conversationId}`;

/** POST of a composed id, or DELETE of it. */
function pairToggle(
  collection: string,
  id: string,
  on: boolean,
  fields: Record<string, string>,
): Ask {
  return on
    ? { path: records(collection), method: "POST", body: { id, ...fields } }
    : { path: records(collection, id), method: "DELETE" };
}

const RULES: { [Kind in IntentKind]: KindRule<IntentBodies[Kind]> } = {
  "media.create": {
    needs: ["mediaId", "userId", "type"],
    lane: mediaLane,
    target: (body) => body.mediaId,
    toggle: false,
    priority: (body) => (body.type === "photo" ? 1 : 2),
    retryMs: UPLOAD_RETRY_MS,
  },
  "media.update": {
    ...plain,
    needs: ["mediaId"],
    lane: mediaLane,
    target: (body) => body.mediaId,
    ask: (body) => ({ path: records("media", body.mediaId), method: "PATCH", body: body.changes }),
  },
  "media.delete": {
    ...plain,
    needs: ["mediaId"],
    lane: mediaLane,
    target: (body) => body.mediaId,
    ask: (body) => ({ path: records("media", body.mediaId), method: "DELETE" }),
    goneIsDone: () => true,
  },
  "like.set": {
    ...plain,
    needs: ["mediaId", "userId"],
    toggle: true,
    lane: mediaLane,
    target: (body) => body.mediaId,
    ask: ({ mediaId, userId, on }) =>
      pairToggle("likes", pairId(mediaId, userId), on, { mediaId, userId }),
    // Not there to be taken back, or the medium went meanwhile.
    goneIsDone: () => true,
    duplicate: () => "done",
  },
  "comment.create": {
    ...plain,
    needs: ["commentId", "mediaId", "userId", "text"],
    lane: mediaLane,
    target: (body) => body.commentId,
    ask: ({ commentId, mediaId, userId, text }) => ({
      path: records("comments"),
      method: "POST",
      body: { id: commentId, mediaId, userId, text },
    }),
    // The medium went meanwhile, and every comment on it with it.
    goneIsDone: () => true,
    duplicate: ({ commentId, mediaId, userId, text }) => ({
      path: records("comments", commentId),
      equal: { mediaId, userId, text },
    }),
  },
  "comment.delete": {
    ...plain,
    needs: ["commentId", "mediaId"],
    lane: mediaLane,
    target: (body) => body.commentId,
    ask: (body) => ({ path: records("comments", body.commentId), method: "DELETE" }),
    goneIsDone: () => true,
  },
  "follow.set": {
    ...plain,
    needs: ["userId", "otherId"],
    toggle: true,
    lane: (body) => `person:${body.otherId}`,
    target: (body) => body.otherId,
    ask: ({ userId, otherId, on }) =>
      pairToggle("follows", pairId(userId, otherId), on, {
        followerId: userId,
        followingId: otherId,
      }),
    goneIsDone: (body) => !body.on,
    duplicate: () => "done",
  },
  "block.set": {
    ...plain,
    needs: ["userId", "otherId"],
    toggle: true,
    lane: (body) => `person:${body.otherId}`,
    target: (body) => body.otherId,
    ask: ({ userId, otherId, on }) =>
      pairToggle("blocks", pairId(userId, otherId), on, {
        blockerId: userId,
        blockedId: otherId,
      }),
    goneIsDone: (body) => !body.on,
    duplicate: () => "done",
  },
  "report.create": {
    ...plain,
    needs: ["mediaId", "userId", "reason"],
    lane: mediaLane,
    target: (body) => body.mediaId,
    ask: ({ mediaId, userId, reason }) => ({
      path: records("reports"),
      method: "POST",
      body: { id: pairId(mediaId, userId), mediaId, userId, reason },
    }),
    duplicate: () => "done",
  },
  "conversation.create": {
    ...plain,
    needs: ["conversationId", "userId", "otherId"],
    lane: chatLane,
    target: (body) => body.conversationId,
    ask: ({ conversationId, userId, otherId }) => ({
      path: records("conversations"),
      method: "POST",
      body: { id: conversationId, participants: [userId, otherId].sort() },
    }),
    duplicate: () => "done",
  },
  "message.photo": {
    needs: ["messageId", "conversationId", "userId"],
    lane: chatLane,
    target: (body) => body.messageId,
    toggle: false,
    priority: () => 1,
    retryMs: UPLOAD_RETRY_MS,
  },
  "message.send": {
    ...plain,
    needs: ["messageId", "conversationId", "userId", "text"],
    lane: chatLane,
    target: (body) => body.messageId,
    ask: ({ messageId, conversationId, userId, text, timestamp }) => ({
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
    duplicate: ({ messageId, conversationId, userId }) => ({
      path: records("messages", messageId),
      equal: { conversationId, senderId: userId },
    }),
  },
  "message.delete": {
    ...plain,
    needs: ["messageId", "conversationId"],
    lane: chatLane,
    target: (body) => body.messageId,
    ask: (body) => ({
      path: records("messages", body.messageId),
      method: "PATCH",
      body: { deleted: true },
    }),
    goneIsDone: () => true,
  },
  "conversation.read": {
    ...plain,
    needs: ["conversationId"],
    toggle: true,
    lane: chatLane,
    target: (body) => body.conversationId,
    ask: (body) => ({ path: `/api/conversations/${body.conversationId}/read`, method: "POST" }),
    goneIsDone: () => true,
  },
  "profile.update": {
    ...plain,
    needs: ["userId"],
    lane: () => "profile",
    target: (body) => body.userId,
  },
  "view.record": {
    ...plain,
    needs: ["mediaId", "session"],
    toggle: true,
    lane: (body) => `view:${body.mediaId}`,
    target: (body) => body.mediaId,
    ask: ({ mediaId, session }) => ({
      path: `/api/media/${mediaId}/view`,
      method: "POST",
      body: { session },
    }),
    goneIsDone: () => true,
  },
};

export const INTENT_KINDS = Object.keys(RULES) as IntentKind[];

export interface IntentRule {
  lane: string;
  target: string;
  toggle: boolean;
  priority: number;
  retryMs: number;
  ask: Ask | null;
  goneIsDone: boolean;
  duplicate: "done" | { path: string; equal: Record<string, string> } | null;
}

/** What the table says about one intent. */
export function intentRule(intent: Intent): IntentRule {
  // The table pairs each kind with its own body; the compiler cannot follow that through a lookup.
  const rule = RULES[intent.kind] as unknown as KindRule<Intent["body"]>;
  const { body } = intent;
  return {
    lane: rule.lane(body),
    target: rule.target(body),
    toggle: rule.toggle,
    priority: rule.priority(body),
    retryMs: rule.retryMs,
    ask: rule.ask?.(body) ?? null,
    goneIsDone: rule.goneIsDone?.(body) ?? false,
    duplicate: rule.duplicate?.(body) ?? null,
  };
}

/** The intent of a stored row, or null for a row of an unknown or broken shape. */
export function parseIntent(row: Pick<OutboxRow, "kind" | "body">): Intent | null {
  if (!(row.kind in RULES)) return null;
  const kind = row.kind as IntentKind;
  const complete = RULES[kind].needs.every((name) => typeof row.body[name] === "string");
  return complete ? ({ kind, body: row.body } as unknown as Intent) : null;
}

/** What each kind of intent carries. Rows with these words are on users' devices: add, never rename. */

/** The files of a queued medium, by their keys in the device store. */
export interface QueuedFiles {
  file: string;
  thumbnail: string;
  preview: string;
}

export interface IntentBodies {
  "media.create": {
    mediaId: string;
    userId: string;
    username: string;
    caption: string;
    tags: string[];
    alt: string;
    type: MediaKind;
    contentType: string;
    originalFilename: string;
    width: number;
    height: number;
    duration: number;
    thumbhash: string;
    fileSize: number;
    /** Keys in the device store; "" for a rendition that could not be made. */
    files: QueuedFiles;
  };
  "media.update": { mediaId: string; changes: { caption?: string; tags?: string[]; alt?: string } };
  "media.delete": { mediaId: string };
  "like.set": { mediaId: string; userId: string; on: boolean };
  "comment.create": {
    commentId: string;
    mediaId: string;
    userId: string;
    username: string;
    text: string;
  };
  "comment.delete": { commentId: string; mediaId: string };
  "follow.set": { userId: string; otherId: string; on: boolean };
  "block.set": { userId: string; otherId: string; on: boolean };
  "report.create": { mediaId: string; userId: string; reason: string };
  "conversation.create": { conversationId: string; userId: string; otherId: string };
  "message.send": {
    messageId: string;
    conversationId: string;
    userId: string;
    text: string;
    /** When it was written, seconds. */
    timestamp: number;
  };
  "message.photo": {
    messageId: string;
    conversationId: string;
    userId: string;
    text: string;
    timestamp: number;
    contentType: string;
    originalFilename: string;
    /** Keys in the device store; "" for a thumbnail that could not be made. */
    files: Pick<QueuedFiles, "file" | "thumbnail">;
  };
  "message.delete": { messageId: string; conversationId: string };
  /** `seen`: ids of what had been read when the server's history changed. */
  "conversation.read": { conversationId: string; seen?: string[] };
  "profile.update": {
    userId: string;
    changes: { username?: string; bio?: string };
    /** Keys in the device store; "" leaves the picture, "delete" removes it. */
    picture: string;
    thumbnail: string;
    /** The picture's address when the server's history changed. */
    stood?: string;
  };
  "view.record": { mediaId: string; session: string };
}

/** One intent as requests: most by the table, files in ways of their own. */

export interface SendIntentDeps {
  remote: Remote;
  replica: Replica;
  device: DeviceStore;
  lighten: ClientDeps["lighten"];
  httpStack: ClientDeps["uploadHttpStack"];
  onAnswer: (ours: boolean) => void;
  onProgress: (intentId: string, percent: number) => void;
}

export function sendIntent(
  deps: SendIntentDeps,
  intent: Intent,
  row: OutboxRow,
  signal: AbortSignal,
): Promise<Answer> {
  if (intent.kind === "media.create" || intent.kind === "message.photo") {
    const onProgress = (percent: number) => deps.onProgress(row.id, percent);
    const queued = { intentId: row.id, createdAt: row.createdAt, signal };
    return intent.kind === "media.create"
      ? sendMedia({ ...deps, onProgress }, { ...queued, body: intent.body })
      : sendPhotoMessage({ ...deps, onProgress }, { ...queued, body: intent.body });
  }
  if (intent.kind === "profile.update") return sendProfile(deps, intent.body);
  const { ask } = intentRule(intent);
  if (ask === null) throw new Error(`Nothing says how to send ${intent.kind}`);
  return deps.remote.request(ask.path, ask);
}

async function sendProfile(
  { remote, device }: SendIntentDeps,
  body: IntentBodies["profile.update"],
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body.changes)) form.set(name, value);
  const parts = { profilePicture: body.picture, profileThumbnail: body.thumbnail };
  for (const [name, key] of Object.entries(parts)) {
    if (key === "delete") form.set(name, "");
    const blob = key === "" || key === "delete" ? null : await device.readBlob(key);
    if (blob !== null) form.set(name, blob, name);
  }
  return remote.request(`/api/collections/users/records/${body.userId}`, {
    method: "PATCH",
    body: form,
  });
}

/** Keys of the files that an intent holds in the device store. */
export function blobKeys(intent: Intent): string[] {
  if (intent.kind === "media.create" || intent.kind === "message.photo") {
    return Object.values(intent.body.files).filter(isKey);
  }
  if (intent.kind === "profile.update") {
    return [intent.body.picture, intent.body.thumbnail].filter(isKey);
  }
  return [];
}

const isKey = (key: string): boolean => key !== "" && key !== "delete";
