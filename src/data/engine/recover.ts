/**
 * Recovery after the server's history changed (a restored backup): what this device sent within a
 * day and the server lacks is queued again under its old id. What others undid stays undone: made
 * rows are queued only if the replica still held them.
 */
import { newId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import { undoes } from "./keep";
import type { PulledOne } from "./lists";
import type { CacheName, Change, Intent, Kind, Replica, RowId } from "./noun";
import { PENDING_AGAIN, readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";

export interface RecoverDeps {
  replica: Replica;
  /** Asks the server for one row, and keeps it when it is there. */
  ask: (row: RowId) => Promise<PulledOne>;
  random: () => number;
  now: () => number;
  userId: string | null;
}

/** Ids by collection. Of what a fresh pull did not bring, what is there after all is taken out. */
export type Ids = Record<CacheName, Set<string>>;

/** A row that the server acknowledged, and what its change was made to. */
interface Acknowledged {
  row: OutboxRow;
  kind: Kind;
  intent: Intent;
  before: unknown;
}

interface History {
  held: Ids;
  lost: Ids;
}

/** Call it before the fresh pull, and its result after that, before lost rows are removed. */
export async function beginRecovery(
  deps: RecoverDeps,
  had: Ids,
): Promise<(lost: Ids) => Promise<Result<null>>> {
  const { nouns } = deps.replica;
  const queue = await readQueue(deps.replica);
  // What was undone since must not come again after it.
  const last = queue.filter(
    (row) =>
      (row.state === "kept" || row.state === "acked") &&
      !queue.some((by) => undoes(nouns, by, row)),
  );
  const acknowledged: Acknowledged[] = [];
  for (const row of last) {
    const read = nouns.read(row);
    if (read === null) continue;
    const before = await read.kind.change?.before?.(deps, read.intent.body);
    acknowledged.push({ ...read, row, before });
  }
  const held = Object.fromEntries(
    Object.entries(had).map(([name, ids]) => [name, new Set(ids)]),
  ) as Ids;
  await rememberInEffect(deps, held, acknowledged);
  const refused = await readRows(deps.replica, "refused");
  const missed = refused.filter((row) => nouns.read(row)?.kind.lacks?.(row.code));
  const waiting = [
    ...missed.filter((row) => !queue.some((by) => undoes(nouns, by, row))),
    ...queue.filter((row) => row.state !== "kept" && row.state !== "acked"),
  ];
  return (lost) => recover(deps, { held, lost }, { acknowledged, waiting });
}

/** All that was not refused. */
const readQueue = (replica: Replica) =>
  readRows(replica, "kept", "acked", "sending", "pending", "paused");

/**
 * A fresh pull may take several tries, and the replica is a mixture of two histories from the first
 * on. What was in effect before counts as acked until the pull succeeds.
 */
async function rememberInEffect(
  { replica }: RecoverDeps,
  held: Ids,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  for (const { row, kind, intent, before } of acknowledged) {
    if (row.state !== "kept" || row.code === "gone") continue;
    const made = kind.makes?.(intent.body);
    const change = kind.change as Change<unknown> | undefined;
    const memory =
      made === undefined
        ? (change?.remember?.(before, intent.body) ?? null)
        : held[made.name].has(made.id) === made.on
          ? {}
          : null;
    if (memory === null) continue;
    const doc = await replica.outbox.findOne(row.id).exec();
    await doc?.incrementalPatch({ state: "acked", body: { ...row.body, ...memory } });
  }
}

async function recover(
  deps: RecoverDeps,
  history: History,
  rows: { acknowledged: readonly Acknowledged[]; waiting: readonly OutboxRow[] },
): Promise<Result<null>> {
  const { nouns } = deps.replica;
  try {
    for (const one of rows.acknowledged) {
      if (!(await isLost(deps, history, one)) || (await isUndone(deps, one))) continue;
      await queueRequired(deps, history, one);
      await queueAgain(deps, one.row);
    }
    // What was not taken yet needs the row that it requires, if that was here.
    for (const row of rows.waiting) {
      const read = nouns.read(row);
      const required = read?.kind.requires?.(read.intent.body).row;
      if (read === null || required === undefined) continue;
      if (!history.held[required.name].has(required.id)) continue;
      await queueRequired(deps, history, { ...read, row });
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

async function isThere({ replica, ask }: RecoverDeps, { lost }: History, { name, id }: RowId) {
  if (!lost[name].has(id) && (await replica[name].findOne(id).exec()) !== null) return true;
  const asked = await ask({ name, id });
  if (asked.state === "failed") throw new NoAnswer();
  if (asked.state === "pulled") lost[name].delete(id);
  return asked.state === "pulled";
}

async function isLost(
  deps: RecoverDeps,
  history: History,
  { row, kind, intent, before }: Acknowledged,
): Promise<boolean> {
  const isAcked = row.state === "acked";
  const made = kind.makes?.(intent.body);
  if (made === undefined) {
    const recovery = { ...deps, isLost: ({ name, id }: RowId) => history.lost[name].has(id) };
    const facts = { before, isAcked, createdAt: row.createdAt };
    return (await kind.change?.isLost(recovery, intent.body, facts)) ?? false;
  }
  // Where the pull had not brought it yet, nobody can have undone it.
  const wasInEffect = isAcked || history.held[made.name].has(made.id) === made.on;
  return wasInEffect && (await isThere(deps, history, made)) !== made.on;
}

/** By what was done while the fresh pull came, which the server may have already. */
async function isUndone({ replica }: RecoverDeps, { row }: Acknowledged): Promise<boolean> {
  const queue = await readQueue(replica);
  return queue.some((by) => undoes(replica.nouns, by, row));
}

/** Queues what makes the row that an intent requires, before it, unless that is there or queued. */
async function queueRequired(
  deps: RecoverDeps,
  history: History,
  { row, kind, intent }: Omit<Acknowledged, "before">,
): Promise<void> {
  const required = kind.requires?.(intent.body);
  if (required === undefined || (await isThere(deps, history, required.row))) return;
  const { outbox, nouns } = deps.replica;
  const { made } = required;
  const making = nouns.kindOf(made);
  const queued = await outbox.find({ selector: { lane: row.lane, kind: made.kind } }).exec();
  if (queued.length > 0) return;
  await outbox.insert({
    ...row,
    id: newId(deps.random),
    kind: made.kind,
    lane: making.lane(made.body),
    target: making.target(made.body),
    state: "pending",
    body: made.body as unknown as Record<string, unknown>,
    place: row.place - 0.5,
    nextAt: 0,
    bytes: 0,
  });
}

async function queueAgain({ replica }: RecoverDeps, row: OutboxRow): Promise<void> {
  // Where the file went belongs to the history that is gone.
  await replica.uploads.bulkRemove([row.id]);
  const doc = await replica.outbox.findOne(row.id).exec();
  await doc?.incrementalPatch(PENDING_AGAIN);
}
