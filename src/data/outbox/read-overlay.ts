/** The outbox as an overlay: what the person's own unsent intents change in what the replica says. Pure. */
import type { IntentState, PendingMark } from "@/data/client-api";
import type { OutboxRow } from "@/data/schema/outbox";
import type { IntentBodies } from "./intent-bodies";
import { parseIntent } from "./intents";

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
}

/** Rows must come in the order of their places: a later one wins. */
export function readOverlay(rows: readonly OutboxRow[], context: OverlayContext): Overlay {
  const overlay = {
    created: new Map<string, Waiting<IntentBodies["media.create"]>>(),
    updated: new Map<string, Waiting<IntentBodies["media.update"]>>(),
    deletedMedia: new Set<string>(),
    likes: new Map<string, boolean>(),
    comments: new Map<string, Waiting<IntentBodies["comment.create"]>[]>(),
    deletedComments: new Set<string>(),
    commentsLess: new Map<string, number>(),
    follows: new Map<string, boolean>(),
    blocks: new Map<string, boolean>(),
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
  // What was refused no longer changes the picture, but what the person wrote stays in sight with its reason.
  const stands = row.state !== "refused";
  switch (intent.kind) {
    case "media.create":
      overlay.created.set(intent.body.mediaId, { ...waiting, body: intent.body });
      return;
    case "media.update":
      if (stands)
        overlay.updated.set(intent.body.mediaId, mergeUpdate(overlay, waiting, intent.body));
      return;
    case "comment.create":
      overlay.comments.set(intent.body.mediaId, [
        ...(overlay.comments.get(intent.body.mediaId) ?? []),
        { ...waiting, body: intent.body },
      ]);
      return;
    default:
      if (stands) layToggle(overlay, intent);
  }
}

function layToggle(overlay: Writable, intent: NonNullable<ReturnType<typeof parseIntent>>): void {
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
  waiting: Omit<Waiting<unknown>, "body">,
  body: IntentBodies["media.update"],
): Waiting<IntentBodies["media.update"]> {
  const before = overlay.updated.get(body.mediaId)?.body.changes ?? {};
  return { ...waiting, body: { ...body, changes: { ...before, ...body.changes } } };
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
