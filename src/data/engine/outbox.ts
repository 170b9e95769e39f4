/** The stored outbox: its queries, and how rows are paused, discarded and removed. */
import type { RxCollection } from "rxdb";
import type { DeviceStore } from "./device-store";
import type { Nouns, Replica } from "./noun";
import type { OutboxRow } from "./outbox-row";

type Outbox = Replica["outbox"];
type Rows = ReturnType<Outbox["find"]>;
/** The rows of a queue, and where their files are. */
export type Queue = Pick<Replica, "outbox" | "uploads" | "nouns">;
export type Files = Pick<DeviceStore, "deleteBlobs">;

// RxDB keeps a query's result current while it is watched, but reads the disk for each other query.
// So there are only these two.

/** All that waits, is being sent, was refused, or has not come back yet. */
export const queueOf = (outbox: Outbox): Rows =>
  outbox.find({ selector: { state: { $ne: "kept" } } });

/** What the server has had for less than a day. */
export const keptOf = (outbox: Outbox): Rows => outbox.find({ selector: { state: "kept" } });

/** Rows in one of `states`, in the order of their places. */
export async function readRows(
  { outbox }: Pick<Replica, "outbox">,
  ...states: OutboxRow["state"][]
): Promise<OutboxRow[]> {
  const queued = states.every((state) => state === "kept") ? [] : await queueOf(outbox).exec();
  const kept = states.includes("kept") ? await keptOf(outbox).exec() : [];
  return [...queued, ...kept]
    .filter((doc) => states.includes(doc.state as OutboxRow["state"]))
    .map((doc) => doc.toJSON() as OutboxRow)
    .sort((a, b) => a.place - b.place);
}

export async function readLane({ outbox }: Pick<Replica, "outbox">, lane: string) {
  const docs = await outbox.find({ selector: { lane } }).exec();
  return docs.map((doc) => doc.toJSON() as OutboxRow).sort((a, b) => a.place - b.place);
}

export function filesOf(nouns: Nouns, row: Pick<OutboxRow, "kind" | "body">): string[] {
  const read = nouns.read(row);
  return read?.kind.files?.(read.intent.body) ?? [];
}

/** Holds an intent until the person resumes it. Acknowledged and refused ones are left alone. */
export async function pauseIntent({ outbox }: Pick<Replica, "outbox">, intentId: string) {
  const doc = await outbox.findOne(intentId).exec();
  await doc?.incrementalModify((row: OutboxRow) => {
    if (row.state !== "pending" && row.state !== "sending") return row;
    // The server may have heard of one that was being sent.
    return { ...row, state: "paused", attempts: row.attempts + Number(row.state === "sending") };
  });
}

export const PENDING_AGAIN = {
  state: "pending",
  nextAt: 0,
  spent: 0,
  code: "",
  message: "",
} as const;

/** Milliseconds; longer than any write takes. */
const PURGE_AFTER_MS = 60_000;

/** Removes intents with their files: what came back, and what the person discards. */
export async function dropIntents(replica: Queue, device: Files, rows: readonly OutboxRow[]) {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await removeRows(replica.outbox, ids, (row) => ({ ...row, body: {}, target: "", message: "" }));
  await removeRows(replica.uploads, ids, (row) => row);
  await device.deleteBlobs(rows.flatMap((row) => filesOf(replica.nouns, row)));
  await purgeRemoved(replica);
}

/**
 * RxDB keeps removed rows until told otherwise. They stay for a minute, without their words: a
 * write that began before the removal, here or in another tab, would insert the row again.
 */
export async function purgeRemoved({ outbox, uploads }: Omit<Queue, "nouns">): Promise<void> {
  await outbox.storageInstance.cleanup(PURGE_AFTER_MS);
  await uploads.storageInstance.cleanup(PURGE_AFTER_MS);
}

/** Also what is being written at this moment: `bulkRemove` would leave such a row where it is. */
async function removeRows<Row>(
  collection: RxCollection<Row>,
  ids: string[],
  emptied: (row: Row) => Row,
): Promise<void> {
  const found = await collection.findByIds(ids).exec();
  const removed = (row: Row) => ({ ...emptied(row), _deleted: true });
  await Promise.all([...found.values()].map((doc) => doc.incrementalModify(removed)));
}

export async function discardIntent(replica: Queue, device: Files, row: OutboxRow): Promise<void> {
  await dropIntents(replica, device, [row]);
  if (replica.nouns.read(row)?.kind.ownsLane) {
    await dropIntents(replica, device, await readLane(replica, row.lane));
  }
}

/**
 * Before a row is deleted that may not exist yet: drops the unsent intent that makes it and its
 * lane. "none": the server may know the row and must be told; "dropped": it never heard of it.
 */
export async function dropUnsent(
  replica: Queue,
  device: Files,
  lane: string,
): Promise<"dropped" | "none"> {
  const rows = await readLane(replica, lane);
  const making = rows.find((row) => replica.nouns.read(row)?.kind.ownsLane);
  // One in flight is left to arrive: the deletion behind it in its lane undoes it for certain.
  if (making === undefined || ["sending", "acked", "kept"].includes(making.state)) return "none";
  await dropIntents(replica, device, rows);
  return making.attempts === 0 ? "dropped" : "none";
}
