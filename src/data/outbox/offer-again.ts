/**
 * After the server's history changed (a restored backup, a lost tail): what this device sent within the last day and
 * the server no longer has is queued again under its old identity. What others undid meanwhile stays undone: of what
 * was made, only what the replica still held is offered.
 */

import type { CacheName, Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import type { PulledOne } from "@/data/sync/pull-one";
import { lacksConversation } from "@/domain/chats";
import { newId, pairId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import { type Intent, intentRule, parseIntent } from "./intents";
import { undoes } from "./keep-intents";
import { type Before, isChangeLost, memoryOf, readBefore } from "./lost-changes";
import { readRows } from "./read-queue";

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
    ...missed.filter(({ code }) => lacksConversation(code)),
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
