/**
 * After the server's history changed (a restored backup, a lost tail): what this device sent within the last day and
 * the server no longer has is queued again under its old identity. What others undid meanwhile stays undone: of what
 * was made, only what the replica still held is offered.
 */

import type { ConversationRow } from "@/data/chat/row";
import type { MediaRow } from "@/data/media/row";
import type { ProfileRow } from "@/data/people/row";
import { newId, pairId } from "@/domain/ids";
import { VIEW_WINDOW_MS } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { type Intent, type IntentBodies, intentRule, parseIntent } from "./intents";
import { undoes } from "./keep";
import type { PulledOne } from "./lists";
import { readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import type { CacheName, Replica } from "./store";

export interface OfferDeps {
  replica: Replica;
  /** Asks the server for one row, and keeps it when it is there. */
  ask: (name: CacheName, id: string) => Promise<PulledOne>;
  random: () => number;
  now: () => number;
  /** Whose replica it is; null for the guest. */
  userId: string | null;
}

/** What the fresh pull did not bring, by collection. What is found to be there after all is taken out. */
export type Lost = Record<CacheName, Set<string>>;

/** To be called before the fresh pull; what it returns, after it and before anything lost is removed. */
export async function beginOffer(
  deps: OfferDeps,
  had: Lost,
): Promise<(lost: Lost) => Promise<Result<null>>> {
  const queue = await readRows(deps.replica, "kept", "acked", "sending", "pending", "paused");
  // What was taken back since must not come again after it.
  const rows = queue.filter(
    (row) =>
      (row.state === "kept" || row.state === "acked") && !queue.some((by) => undoes(by, row)),
  );
  const before = await readBefore(deps, rows);
  const held: Lost = Object.fromEntries(
    Object.entries(had).map(([name, ids]) => [name, new Set(ids)]),
  ) as Lost;
  await rememberWhatStood(deps, { held, before }, rows);
  const missed = await readRows(deps.replica, "refused");
  const waiting = [
    ...missed.filter(({ code }) => code === "not_found"),
    ...queue.filter((row) => row.state !== "kept" && row.state !== "acked"),
  ];
  return (lost) => offer(deps, { held, lost, before }, { rows, waiting });
}

/**
 * A fresh pull may take several tries, and from the first on the replica is a mixture of both histories. What stood
 * before counts as not brought back yet until the pull comes to its end.
 */
async function rememberWhatStood(
  { replica }: OfferDeps,
  history: Pick<History, "held" | "before">,
  rows: OutboxRow[],
): Promise<void> {
  for (const row of rows) {
    const intent = parseIntent(row);
    if (row.state !== "kept" || row.code === "gone" || intent === null) continue;
    const outcome = outcomeOf(intent);
    const stood = outcome !== null && history.held[outcome.name].has(outcome.id) === outcome.on;
    const memory = outcome === null ? memoryOf(history.before, intent) : stood ? {} : null;
    if (memory === null) continue;
    const doc = await replica.outbox.findOne(row.id).exec();
    await doc?.incrementalPatch({ state: "acked", body: { ...row.body, ...memory } });
  }
}

interface History {
  held: Lost;
  lost: Lost;
  before: Before;
}

async function offer(
  deps: OfferDeps,
  history: History,
  { rows, waiting }: { rows: readonly OutboxRow[]; waiting: readonly OutboxRow[] },
): Promise<Result<null>> {
  try {
    for (const row of rows) {
      const intent = parseIntent(row);
      if (intent === null || !(await isLost(deps, history, intent, row))) continue;
      await offerConversation(deps, history, intent, row);
      await queueAgain(deps, row);
    }
    // What was not taken needs the conversation that it was written in, if that stood.
    for (const row of waiting) {
      const intent = parseIntent(row);
      if (intent === null || !("conversationId" in intent.body)) continue;
      if (!history.held.conversations.has(intent.body.conversationId)) continue;
      await offerConversation(deps, history, intent, row);
      // The new history refused it before this device knew of it.
      if (row.state === "refused") await queueAgain(deps, row);
    }
    return ok(null);
  } catch (error) {
    if (error instanceof NoAnswer) return failed("network");
    throw error;
  }
}

/** Whether the server has a row could not be found out: the whole pull is done again. */
class NoAnswer extends Error {}

async function isThere(
  { replica, ask }: OfferDeps,
  { lost }: History,
  name: CacheName,
  id: string,
): Promise<boolean> {
  const here = !lost[name].has(id) && (await replica[name].findOne(id).exec()) !== null;
  if (here) return true;
  const asked = await ask(name, id);
  if (asked.state === "failed") throw new NoAnswer();
  if (asked.state === "pulled") lost[name].delete(id);
  return asked.state === "pulled";
}

/** What an intent made or unmade: a row with an id, there or not. */
export function outcomeOf(intent: Intent): { name: CacheName; id: string; on: boolean } | null {
  switch (intent.kind) {
    case "media.create":
      return { name: "media", id: intent.body.mediaId, on: true };
    case "comment.create":
      return { name: "comments", id: intent.body.commentId, on: true };
    case "message.send":
    case "message.photo":
      return { name: "messages", id: intent.body.messageId, on: true };
    case "conversation.create":
      return { name: "conversations", id: intent.body.conversationId, on: true };
    case "like.set": {
      const { mediaId, userId, on } = intent.body;
      return { name: "likes", id: pairId(mediaId, userId), on };
    }
    case "follow.set":
    case "block.set": {
      const { userId, otherId, on } = intent.body;
      const name = intent.kind === "follow.set" ? "follows" : "blocks";
      return { name, id: pairId(userId, otherId), on };
    }
    default:
      return null;
  }
}

async function isLost(
  deps: OfferDeps,
  history: History,
  intent: Intent,
  row: OutboxRow,
): Promise<boolean> {
  const outcome = outcomeOf(intent);
  if (outcome === null) return isChangeLost(deps, history, intent, row);
  const { name, id, on } = outcome;
  // Where the pull had not brought it yet, nobody can have undone it.
  const stood = row.state === "acked" || history.held[name].has(id) === on;
  return stood && (await isThere(deps, history, name, id)) !== on;
}

/** A message needs its conversation, whoever had begun it. */
async function offerConversation(
  deps: OfferDeps,
  history: History,
  intent: Intent,
  row: OutboxRow,
): Promise<void> {
  if (intent.kind !== "message.send" && intent.kind !== "message.photo") return;
  const { conversationId, userId } = intent.body;
  if (await isThere(deps, history, "conversations", conversationId)) return;
  const queued = await deps.replica.outbox
    .find({ selector: { lane: row.lane, kind: "conversation.create" } })
    .exec();
  if (queued.length > 0) return;
  const otherId = conversationId.split("_").find((id) => id !== userId) ?? "";
  const create: Intent = { kind: "conversation.create", body: { conversationId, userId, otherId } };
  const { lane, target } = intentRule(create);
  await deps.replica.outbox.insert({
    ...row,
    id: newId(deps.random),
    kind: create.kind,
    lane,
    target,
    state: "pending",
    body: create.body,
    place: row.place - 0.5,
    nextAt: 0,
    bytes: 0,
  });
}

async function queueAgain({ replica }: OfferDeps, row: OutboxRow): Promise<void> {
  // Where the file went belongs to the history that is gone.
  await replica.uploads.bulkRemove([row.id]);
  const doc = await replica.outbox.findOne(row.id).exec();
  await doc?.incrementalPatch({ state: "pending", nextAt: 0, spent: 0, code: "", message: "" });
}

/**
 * Whether a new history of the server's lacks a change that this person made to a row that stands in both: found by
 * comparing the row as it was with the row as it is now.
 */

interface ChangeDeps {
  replica: Replica;
  now: () => number;
  userId: string | null;
}

/** What kept changes are about, as it was before the fresh pull. */
export interface Before {
  media: ReadonlyMap<string, MediaRow>;
  profiles: ReadonlyMap<string, ProfileRow>;
  /** By conversation id: the other person's messages that were read. */
  read: ReadonlyMap<string, string[]>;
}

export async function readBefore(deps: ChangeDeps, rows: readonly OutboxRow[]): Promise<Before> {
  const targets = (kind: string) =>
    rows.filter((row) => row.kind === kind).map((row) => row.target);
  const { media, profiles } = deps.replica;
  const [changed, people] = await Promise.all([
    media.findByIds(targets("media.update")).exec(),
    profiles.findByIds(targets("profile.update")).exec(),
  ]);
  const read = targets("conversation.read").map(
    async (id) => [id, await readMessages(deps, id, true)] as const,
  );
  return {
    media: new Map([...changed].map(([id, doc]) => [id, doc.toJSON() as MediaRow])),
    profiles: new Map([...people].map(([id, doc]) => [id, doc.toJSON()])),
    read: new Map(await Promise.all(read)),
  };
}

/** Ids of the other person's messages that are read, or are not. */
async function readMessages(
  { replica, userId }: ChangeDeps,
  conversationId: string,
  read: boolean,
): Promise<string[]> {
  const found = await replica.messages.find({ selector: { conversationId } }).exec();
  return found.filter((doc) => doc.senderId !== userId && doc.read === read).map(({ id }) => id);
}

/** Deletions and reports can be said again at any time; a change only while it still stood here. */
export async function isChangeLost(
  deps: ChangeDeps,
  { before, lost }: { before: Before; lost: { media: ReadonlySet<string> } },
  intent: Intent,
  row: OutboxRow,
): Promise<boolean> {
  const isAcked = row.state === "acked";
  switch (intent.kind) {
    case "media.delete":
    case "comment.delete":
    case "message.delete":
    case "report.create":
      return true;
    // The server takes it once within that time, whether it still knows it or not.
    case "view.record":
      return row.createdAt + VIEW_WINDOW_MS > deps.now();
    case "media.update":
      if (!isAcked && !hasStood(before, intent.body)) return false;
      return isEditLost(deps, lost.media, intent.body);
    case "profile.update":
      return isProfileLost(deps, before, intent.body, isAcked);
    case "conversation.read":
      return isReadingLost(deps, before, intent.body, isAcked);
    default:
      return false;
  }
}

/**
 * What a change is known by once the pull has begun to overwrite the rows that it was made to; null where the replica did
 * not have it. What was acknowledged and had not come back yet always counts as standing.
 */
export function memoryOf(before: Before, intent: Intent): object | null {
  switch (intent.kind) {
    case "media.update":
      return hasStood(before, intent.body) ? {} : null;
    case "profile.update": {
      const was = before.profiles.get(intent.body.userId);
      return was !== undefined && isProfileAs(was, intent.body)
        ? { stood: was.profilePictureUrl }
        : null;
    }
    case "conversation.read": {
      const seen = before.read.get(intent.body.conversationId) ?? [];
      return seen.length > 0 ? { seen } : null;
    }
    default:
      return null;
  }
}

function hasStood(before: Before, { mediaId, changes }: IntentBodies["media.update"]): boolean {
  const was = before.media.get(mediaId);
  return was !== undefined && isAs(was, changes);
}

/** Where the medium itself was lost, or is not known here any more, it may come again as it was uploaded. */
async function isEditLost(
  { replica }: ChangeDeps,
  lost: ReadonlySet<string>,
  { mediaId, changes }: IntentBodies["media.update"],
): Promise<boolean> {
  if (lost.has(mediaId)) return true;
  const is = (await replica.media.findOne(mediaId).exec())?.toJSON() as MediaRow | undefined;
  return is === undefined || !isAs(is, changes);
}

const isAs = (
  row: MediaRow,
  { caption, tags, alt }: IntentBodies["media.update"]["changes"],
): boolean =>
  (caption ?? row.caption) === row.caption &&
  (alt ?? row.alt) === row.alt &&
  (tags ?? row.tags).join("\n") === row.tags.join("\n");

const hasNames = (
  { username, bio }: ProfileRow,
  { changes }: IntentBodies["profile.update"],
): boolean => (changes.username ?? username) === username && (changes.bio ?? bio) === bio;

const isProfileAs = (row: ProfileRow, body: IntentBodies["profile.update"]): boolean =>
  hasNames(row, body) &&
  (body.picture === "" || (body.picture === "delete") === (row.profilePictureUrl === ""));

async function isProfileLost(
  { replica }: ChangeDeps,
  before: Before,
  body: IntentBodies["profile.update"],
  isAcked: boolean,
): Promise<boolean> {
  const was = before.profiles.get(body.userId);
  const is = (await replica.profiles.findOne(body.userId).exec())?.toJSON();
  if (is === undefined) return false;
  if (!isAcked && (was === undefined || !isProfileAs(was, body))) return false;
  // The server names the file: another name, or none, is another picture. One that is not known is sent once more.
  const stood = isAcked ? body.stood : was?.profilePictureUrl;
  const wanted = body.picture === "delete" ? "" : stood;
  return !hasNames(is, body) || (body.picture !== "" && is.profilePictureUrl !== wanted);
}

/** Only where nothing would be marked that this person has not seen. */
async function isReadingLost(
  deps: ChangeDeps,
  before: Before,
  { conversationId, seen: remembered }: IntentBodies["conversation.read"],
  isAcked: boolean,
): Promise<boolean> {
  const doc = await deps.replica.conversations.findOne(conversationId).exec();
  if (doc === null) return false;
  const seen = new Set((isAcked ? remembered : undefined) ?? before.read.get(conversationId));
  const unread = await readMessages(deps, conversationId, false);
  const again = unread.filter((id) => seen.has(id)).length;
  return again > 0 && again === unreadOf(doc, deps.userId);
}

const unreadOf = (
  row: Pick<ConversationRow, "userA" | "unreadA" | "unreadB">,
  userId: string | null,
): number => (row.userA === userId ? row.unreadA : row.unreadB);
