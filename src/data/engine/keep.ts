/**
 * What the server has acknowledged stays on the device for a day, with its files: a server that went back to a backup
 * may have lost it (see offer-again). Such rows are no part of the queue: nothing shows, counts or sends them.
 */

import { VIEW_WINDOW_MS } from "@/domain/limits";
import type { DeviceStore } from "./device-store";
import { type IntentKind, parseIntent } from "./intents";
import type { PulledOne } from "./lists";
import { dropIntents, readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import { outcomeOf } from "./recover";
import type { CacheName, Replica } from "./store";

/** Milliseconds (architecture, "Epoch"). */
const KEPT_MS = 24 * 3_600_000;

/** What a lost history is mended from; the rest means nothing later. */
const WORTH_KEEPING: readonly IntentKind[] = [
  "media.create",
  "media.update",
  "media.delete",
  "like.set",
  "comment.create",
  "comment.delete",
  "follow.set",
  "block.set",
  "report.create",
  "conversation.create",
  "message.send",
  "message.photo",
  "message.delete",
  "conversation.read",
  "profile.update",
  "view.record",
];

/** A view that is said again later than that counts twice. */
const keptMs = (kind: string): number => (kind === "view.record" ? VIEW_WINDOW_MS : KEPT_MS);

/** Of these the last one of a target stands for all. */
const isToggle = (kind: string): boolean =>
  kind.endsWith(".set") || kind === "conversation.read" || kind === "view.record";

interface KeepDeps {
  replica: Pick<Replica, "outbox" | "uploads" | "media">;
  device: Pick<DeviceStore, "deleteBlobs">;
}

/** What a pull brought. */
interface Pulled {
  /** Rows that were acknowledged before it began. */
  acked: readonly OutboxRow[];
  /** Ids of what the server no longer shows this person. */
  removed: ReadonlySet<string>;
}

/** Rows that a pull has brought back leave the overlay; what is older than a day, or gone by the server's word, goes for good. */
export async function keepIntents(
  { replica, device }: KeepDeps,
  { acked, removed }: Pulled,
  now: number,
): Promise<void> {
  const { outbox } = replica;
  const [kept, latest] = await Promise.all([
    readRows(replica, "kept"),
    outbox.findByIds(acked.map((row) => row.id)).exec(),
  ]);
  const ended = [...latest.values()].filter((doc) => doc.state === "acked");
  const keeping = ended.filter((doc) => isWorthKeeping(doc.toJSON() as OutboxRow));
  // Together they are one write; each on its own is the price of a whole pull.
  const patched = await Promise.all(
    keeping.map((doc) => doc.incrementalPatch({ state: "kept", nextAt: now + keptMs(doc.kind) })),
  );
  const fresh = patched.map((doc) => doc.toJSON() as OutboxRow);
  const over = [
    ...kept.filter((row) => isOver(row, now) || isRevoked(row, removed)),
    ...[...kept, ...fresh].filter((row) => fresh.some((by) => undoes(by, row))),
  ];
  const rest = ended.filter((doc) => !keeping.includes(doc));
  await dropIntents(replica, device, [...over, ...rest.map((doc) => doc.toJSON() as OutboxRow)]);
  await queueWhatIsBack(
    { replica },
    [...kept, ...fresh].filter((row) => !over.includes(row)),
  );
}

/**
 * A restored server may lack a medium until its owner's device has offered it again. What others said about it in the
 * meantime ended as if it had been deleted; where it is here once more, it is sent after all.
 */
async function queueWhatIsBack(
  { replica }: Pick<KeepDeps, "replica">,
  rows: readonly OutboxRow[],
): Promise<void> {
  const waiting = rows.filter((row) => row.code === "gone" && mediumOf(row) !== null);
  if (waiting.length === 0) return;
  const media = await replica.media.findByIds(waiting.flatMap((row) => mediumOf(row) ?? [])).exec();
  const queue = await readRows(replica, "pending", "sending", "paused", "acked");
  // What is still under way may meet the same fate: nothing later in its lane goes before that is known.
  const isBack = (row: OutboxRow) =>
    media.has(mediumOf(row) ?? "") &&
    !queue.some((by) => undoes(by, row) || (by.lane === row.lane && by.place < row.place));
  for (const row of waiting.filter(isBack).sort((a, b) => a.place - b.place)) {
    const doc = await replica.outbox.findOne(row.id).exec();
    await doc?.incrementalPatch({ state: "pending", nextAt: 0, spent: 0, code: "" });
  }
}

/** The medium without which it could not be. */
function mediumOf(row: OutboxRow): string | null {
  const intent = parseIntent(row);
  if (intent?.kind === "comment.create") return intent.body.mediaId;
  return intent?.kind === "like.set" && intent.body.on ? intent.body.mediaId : null;
}

/** Forgets the last day: at a sign-out, and where the device needs the room. */
export async function dropKept({
  replica,
  device,
}: Omit<KeepDeps, "replica"> & { replica: Pick<Replica, "outbox" | "uploads"> }): Promise<void> {
  await dropIntents(replica, device, await readRows(replica, "kept"));
}

const isWorthKeeping = (row: OutboxRow): boolean =>
  parseIntent(row) !== null && WORTH_KEEPING.includes(row.kind as IntentKind);

/** A deletion is worth saying again for the very reason that its row is gone. */
const isRevoked = (row: OutboxRow, removed: ReadonlySet<string>): boolean =>
  removed.has(row.target) && !row.kind.endsWith(".delete");

/** A clock that was set back since must not keep it for longer. */
const isOver = (row: OutboxRow, now: number): boolean =>
  row.nextAt <= now || row.nextAt > now + KEPT_MS;

/** A later toggle or edit of the same, or the deletion of what was made, leaves nothing to offer of the earlier one. */
export function undoes(later: OutboxRow, row: OutboxRow): boolean {
  if (later.place <= row.place) return false;
  if (later.kind === "media.delete") return later.lane === row.lane;
  const same = later.target === row.target;
  if (later.kind === "comment.delete") return same && row.kind === "comment.create";
  if (later.kind === "message.delete") return same && row.kind.startsWith("message.");
  if (!same || later.kind !== row.kind) return false;
  return isToggle(later.kind) || (later.kind.endsWith(".update") && overwrites(later, row));
}

/** Whether it says something new of everything that the earlier edit changed. */
function overwrites(later: OutboxRow, { body }: OutboxRow): boolean {
  const changed = Object.keys(body["changes"] ?? {});
  const again = Object.keys(later.body["changes"] ?? {});
  const keepsPicture = (body["picture"] ?? "") === "" || later.body["picture"] !== "";
  return keepsPicture && changed.every((name) => again.includes(name));
}

/**
 * A fresh pull brings lists, and neither every comment nor every message: what this device made just before is asked
 * for by its id, so that it does not leave the screen when it leaves the overlay.
 */

interface BringDeps {
  replica: Replica;
  ask: (name: CacheName, id: string) => Promise<PulledOne>;
}

/** Of the acknowledged rows those that may leave the overlay: what they made is here, or gone by the server's word. */
export async function bringBack(
  { replica, ask }: BringDeps,
  acked: readonly OutboxRow[],
): Promise<OutboxRow[]> {
  const made = acked.map((row) => ({ row, wanted: row.code === "gone" ? null : wantedBy(row) }));
  const here = await readHere(
    replica,
    made.flatMap(({ wanted }) => wanted ?? []),
  );
  const settled: OutboxRow[] = [];
  const open: OutboxRow[] = [];
  for (const { row, wanted } of made) {
    const isHere = wanted === null || here.has(`${wanted.name} ${wanted.id}`);
    const isSettled = isHere || (await ask(wanted.name, wanted.id)).state !== "failed";
    (isSettled ? settled : open).push(row);
  }
  // What took something back goes no sooner than that: what was made must never be offered without it.
  return settled.filter((row) => !open.some((earlier) => undoes(row, earlier)));
}

interface Wanted {
  name: CacheName;
  id: string;
}

function wantedBy(row: OutboxRow): Wanted | null {
  const intent = parseIntent(row);
  const outcome = intent === null ? null : outcomeOf(intent);
  return outcome?.on === true ? outcome : null;
}

/** One look at each collection, however many were sent. */
async function readHere(replica: Replica, wanted: readonly Wanted[]): Promise<Set<string>> {
  const names = [...new Set(wanted.map(({ name }) => name))];
  const found = names.map(async (name) => {
    const ids = wanted.filter((one) => one.name === name).map(({ id }) => id);
    const docs = await replica[name].findByIds(ids).exec();
    return [...docs.keys()].map((id) => `${name} ${id}`);
  });
  return new Set((await Promise.all(found)).flat());
}
