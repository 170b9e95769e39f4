/** The outbox as an overlay: what the person's own unsent intents change in what the replica says. Pure. */
import type { IntentState, PendingMark } from "@/data/shapes";
import { type Intent, type IntentBodies, parseIntent } from "./intents";

import type { OutboxRow } from "./outbox-row";

/** What decides how a waiting row is called. */
export interface OverlayContext {
  offline: boolean;
  needsLogin: boolean;
  /** Percent by intent id, of what is being sent. */
  progress: ReadonlyMap<string, number>;
}

export interface Waiting<Body> {
  body: Body;
  mark: PendingMark;
  createdAt: number;
}

/** A message as it was written: with or without a photo. */
export type WaitingMessage = Waiting<IntentBodies["message.send"] | IntentBodies["message.photo"]>;

/** Every kind is in it but `view.record`: a view is counted by the server and shows nothing of its own. */
export interface Overlay {
  /** By media id. */
  created: ReadonlyMap<string, Waiting<IntentBodies["media.create"]>>;
  updated: ReadonlyMap<string, Waiting<IntentBodies["media.update"]>>;
  deletedMedia: ReadonlySet<string>;
  /** By media id: what the person wants. */
  likes: ReadonlyMap<string, boolean>;
  /** By media id, oldest first. */
  comments: ReadonlyMap<string, Waiting<IntentBodies["comment.create"]>[]>;
  deletedComments: ReadonlySet<string>;
  /** By media id: how many of its comments are to go. */
  commentsLess: ReadonlyMap<string, number>;
  /** By the other person's id. */
  follows: ReadonlyMap<string, boolean>;
  blocks: ReadonlyMap<string, boolean>;
  /** Media that this person reports. */
  reported: ReadonlySet<string>;
  /** Chats begun on this device, by conversation id. */
  conversations: ReadonlyMap<string, Waiting<IntentBodies["conversation.create"]>>;
  /** By conversation id, in the order in which they were written. */
  messages: ReadonlyMap<string, WaitingMessage[]>;
  deletedMessages: ReadonlySet<string>;
  /** By conversation id: when it was last read here, milliseconds since 1970. */
  reads: ReadonlyMap<string, number>;
  /** By user id: what is to change, the latest on top. */
  profiles: ReadonlyMap<string, Waiting<IntentBodies["profile.update"]>>;
}

/** Rows must come in the order of their places: a later one wins. */
export function readOverlay(rows: readonly OutboxRow[], context: OverlayContext): Overlay {
  const overlay: Writable = {
    created: new Map(),
    updated: new Map(),
    deletedMedia: new Set(),
    likes: new Map(),
    comments: new Map(),
    deletedComments: new Set(),
    commentsLess: new Map(),
    follows: new Map(),
    blocks: new Map(),
    reported: new Set(),
    conversations: new Map(),
    messages: new Map(),
    deletedMessages: new Set(),
    reads: new Map(),
    profiles: new Map(),
  };
  for (const row of rows) lay(overlay, row, context);
  return overlay;
}

type Writable = {
  [Name in keyof Overlay]: Overlay[Name] extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : Overlay[Name] extends ReadonlySet<infer V>
      ? Set<V>
      : never;
};

function lay(overlay: Writable, row: OutboxRow, context: OverlayContext): void {
  const intent = parseIntent(row);
  if (intent === null) return;
  const waiting = { mark: markOf(row, context), createdAt: row.createdAt };
  layWritten(overlay, intent, waiting);
  // What was refused no longer changes the picture.
  if (row.state === "refused") return;
  layChange(overlay, intent, waiting);
  layToggle(overlay, intent);
}

type Mark = Omit<Waiting<unknown>, "body">;

/** What the person wrote or chose stays in sight with its reason, also when it was refused. */
function layWritten(overlay: Writable, intent: Intent, waiting: Mark): void {
  switch (intent.kind) {
    case "media.create":
      overlay.created.set(intent.body.mediaId, { ...waiting, body: intent.body });
      return;
    case "comment.create":
      append(overlay.comments, intent.body.mediaId, { ...waiting, body: intent.body });
      return;
    case "message.send":
    case "message.photo":
      append(overlay.messages, intent.body.conversationId, { ...waiting, body: intent.body });
      return;
    default:
      return;
  }
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}

function layChange(overlay: Writable, intent: Intent, waiting: Mark): void {
  switch (intent.kind) {
    case "media.update":
      overlay.updated.set(intent.body.mediaId, mergeUpdate(overlay, waiting, intent.body));
      return;
    case "conversation.create":
      overlay.conversations.set(intent.body.conversationId, { ...waiting, body: intent.body });
      return;
    case "conversation.read":
      overlay.reads.set(intent.body.conversationId, waiting.createdAt);
      return;
    case "profile.update":
      overlay.profiles.set(intent.body.userId, mergeProfile(overlay, waiting, intent.body));
      return;
    default:
      return;
  }
}

function layToggle(overlay: Writable, intent: Intent): void {
  switch (intent.kind) {
    case "media.delete":
      overlay.deletedMedia.add(intent.body.mediaId);
      return;
    case "like.set":
      overlay.likes.set(intent.body.mediaId, intent.body.on);
      return;
    case "comment.delete":
      layCommentDelete(overlay, intent.body);
      return;
    case "follow.set":
      overlay.follows.set(intent.body.otherId, intent.body.on);
      return;
    case "block.set":
      overlay.blocks.set(intent.body.otherId, intent.body.on);
      return;
    case "report.create":
      overlay.reported.add(intent.body.mediaId);
      return;
    case "message.delete":
      overlay.deletedMessages.add(intent.body.messageId);
      return;
    default:
      return;
  }
}

/** One comment goes once, however often that was asked. */
function layCommentDelete(overlay: Writable, body: IntentBodies["comment.delete"]): void {
  const { mediaId, commentId } = body;
  if (overlay.deletedComments.has(commentId)) return;
  overlay.deletedComments.add(commentId);
  overlay.commentsLess.set(mediaId, (overlay.commentsLess.get(mediaId) ?? 0) + 1);
}

function mergeUpdate(
  overlay: Writable,
  waiting: Mark,
  body: IntentBodies["media.update"],
): Waiting<IntentBodies["media.update"]> {
  const before = overlay.updated.get(body.mediaId)?.body.changes ?? {};
  return { ...waiting, body: { ...body, changes: { ...before, ...body.changes } } };
}

function mergeProfile(
  overlay: Writable,
  waiting: Mark,
  body: IntentBodies["profile.update"],
): Waiting<IntentBodies["profile.update"]> {
  const before = overlay.profiles.get(body.userId)?.body;
  return {
    ...waiting,
    body: {
      ...body,
      changes: { ...before?.changes, ...body.changes },
      picture: body.picture || (before?.picture ?? ""),
      thumbnail: body.picture === "" ? (before?.thumbnail ?? "") : body.thumbnail,
    },
  };
}

export function markOf(row: OutboxRow, context: OverlayContext): PendingMark {
  return {
    intentId: row.id,
    state: stateOf(row, context),
    progress: row.state === "acked" ? 100 : (context.progress.get(row.id) ?? 0),
    code: row.code === "" ? null : row.code,
  };
}

function stateOf(row: OutboxRow, context: OverlayContext): IntentState {
  if (row.state === "kept") return "acked";
  if (row.state !== "pending") return row.state;
  if (context.needsLogin) return "paused";
  return context.offline || row.attempts > 0 ? "waiting" : "queued";
}
