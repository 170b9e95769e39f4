/** Puts an intent into the outbox. What it returns is a promise that the intent is safe on this device; it is shown before. */

import type { RxCollection } from "rxdb";
import { BehaviorSubject, type Observable } from "rxjs";
import { newId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import { createSerialQueue } from "@/lib/serial-queue";
import { type DeviceStore, isQuotaError } from "./device-store";
import { blobKeys, type Intent, intentRule, parseIntent } from "./intents";
import type { OutboxRow } from "./outbox-row";
import type { Replica } from "./store";

export interface EnqueueDeps {
  replica: Pick<Replica, "outbox">;
  device: Pick<DeviceStore, "putBlob" | "deleteBlobs">;
  unwritten: Unwritten;
  now: () => number;
  random: () => number;
}

type OutboxRows = Replica["outbox"];

let lastPlace = 0;
/** Places are given in the order in which they were asked for. */
const inTurn = createSerialQueue();
const togglesInTurn = createSerialQueue();

/** The highest place in each queue. Read once, and followed from then on, also where another tab adds: queueing must not read the queue. */
const tops = new WeakMap<OutboxRows, Promise<{ place: number }>>();

async function followTop(outbox: OutboxRows): Promise<{ place: number }> {
  const top = { place: 0 };
  const raise = (place: number) => {
    top.place = Math.max(top.place, place);
  };
  outbox.$.subscribe((event) => raise(event.documentData.place));
  for (const doc of await outbox.find().exec()) raise(doc.place);
  return top;
}

/** Behind all that waits, also within one millisecond and where the clock was set back meanwhile. */
const nextPlace = ({ outbox }: Pick<Replica, "outbox">, now: number): Promise<number> =>
  inTurn(async () => {
    const known = tops.get(outbox) ?? followTop(outbox);
    tops.set(outbox, known);
    const top = await known.catch((error: unknown) => {
      tops.delete(outbox);
      throw error;
    });
    lastPlace = Math.max(lastPlace + 1, now * 1000, top.place + 1);
    return lastPlace;
  });

/** `blobs` by their keys are stored before the row that names them. */
export async function enqueueIntent(
  deps: EnqueueDeps,
  intent: Intent,
  blobs: ReadonlyMap<string, Blob> = new Map(),
): Promise<Result<{ intentId: string }>> {
  const rule = intentRule(intent);
  const asked: OutboxRow = {
    id: newId(deps.random),
    kind: intent.kind,
    lane: rule.lane,
    target: rule.target,
    state: "pending",
    body: intent.body as unknown as Record<string, unknown>,
    place: 0,
    createdAt: deps.now(),
    attempts: 0,
    nextAt: 0,
    spent: 0,
    bytes: [...blobs.values()].reduce((sum, blob) => sum + blob.size, 0),
    code: "",
    message: "",
  };
  // A file can be shown only once it is on the device.
  if (blobs.size === 0) deps.unwritten.add(asked);
  try {
    const row = { ...asked, place: await nextPlace(deps.replica, deps.now()) };
    for (const [key, blob] of blobs) await deps.device.putBlob(key, blob);
    // In turn: two at once would each find nothing to replace, and both would be sent.
    if (rule.toggle) await togglesInTurn(() => replaceUnsent(deps.replica, row));
    else await deps.replica.outbox.insert(row);
    deps.unwritten.written(row.id);
    return ok({ intentId: row.id });
  } catch (error) {
    deps.unwritten.takeBack(asked.id);
    await deps.device.deleteBlobs([...blobs.keys()]).catch(() => undefined);
    if (isQuotaError(error)) return failed("storage_full");
    throw error;
  }
}

/** The last toggle of a target wins; one that is on its way is left to arrive first. */
async function replaceUnsent(replica: Pick<Replica, "outbox">, row: OutboxRow): Promise<void> {
  const older = await replica.outbox
    .find({
      selector: {
        kind: row.kind,
        target: row.target,
        state: { $in: ["pending", "paused", "refused"] },
      },
    })
    .exec();
  await replica.outbox.bulkRemove(older.map((doc) => doc.id));
  await replica.outbox.insert(row);
}

/**
 * Intents on their way to this device's disk. The overlay shows them at once, so that what somebody did is on the screen in
 * the next frame; sent and listed is only what lies on the disk. A row leaves when the queue shows it, or could not be written.
 */

export interface Unwritten {
  /** Something came, or was taken back. */
  changed$: Observable<unknown>;
  add(row: OutboxRow): void;
  /** It lies on the disk: it goes when the queue is next read. */
  written(id: string): void;
  /** It could not be written. */
  takeBack(id: string): void;
  /** The queue was read: what it holds, or held since, goes from here. */
  read(stored: readonly OutboxRow[]): void;
  /** In the order of the asking. */
  rows(): OutboxRow[];
}

interface Entry {
  row: OutboxRow;
  /** The queue as it was read before this was on the disk; null while it is not. */
  readBefore: readonly OutboxRow[] | null;
}

export function createUnwritten(): Unwritten {
  const changed$ = new BehaviorSubject<null>(null);
  let entries: Entry[] = [];
  let lastRead: readonly OutboxRow[] = [];
  return {
    changed$,
    add(row) {
      entries = [...entries, { row, readBefore: null }];
      changed$.next(null);
    },
    written(id) {
      entries = entries.map((entry) =>
        entry.row.id === id ? { ...entry, readBefore: lastRead } : entry,
      );
    },
    takeBack(id) {
      entries = entries.filter(({ row }) => row.id !== id);
      changed$.next(null);
    },
    read(stored) {
      lastRead = stored;
      if (entries.length === 0) return;
      const known = new Set(stored.map(({ id }) => id));
      entries = entries.filter(
        ({ row, readBefore }) =>
          !known.has(row.id) && (readBefore === null || readBefore === stored),
      );
    },
    rows: () => entries.map(({ row }) => row),
  };
}

/**
 * The two questions that are asked of the outbox again and again. RxDB keeps the answer to a question in step with each
 * write while somebody watches it; each wording of its own would be looked up on the disk anew.
 */

type Outbox = Replica["outbox"];
type Rows = ReturnType<Outbox["find"]>;

/** All that waits, is sent, was refused, or has not come back yet. */
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
    .filter((doc) => states.includes(doc.state))
    .map((doc) => doc.toJSON() as OutboxRow)
    .sort((a, b) => a.place - b.place);
}

/** The end of an intent's life. */

/** RxDB's word for a row that was written meanwhile. */
const CONFLICT = 409;
const TRIES = 10;

/** Removes intents with their files: what came back, and what the person discards. */
export async function dropIntents(
  replica: Pick<Replica, "outbox" | "uploads">,
  device: Pick<DeviceStore, "deleteBlobs">,
  rows: readonly OutboxRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await removeRows(replica.outbox, ids);
  await removeRows(replica.uploads, ids);
  const keys = rows.flatMap((row) => {
    const intent = parseIntent(row);
    return intent === null ? [] : blobKeys(intent);
  });
  await device.deleteBlobs(keys);
  await replica.outbox.storageInstance.cleanup(0);
}

/** Also what the sender wrote to in this moment: RxDB leaves such a row where it is, and only says so. */
async function removeRows<Row>(
  collection: Pick<RxCollection<Row>, "bulkRemove">,
  ids: string[],
): Promise<void> {
  let left = ids;
  for (let tried = 1; left.length > 0; tried += 1) {
    const { error } = await collection.bulkRemove(left);
    const fault = error.find(({ status }) => status !== CONFLICT || tried === TRIES);
    if (fault !== undefined) throw new Error(`A row could not be removed (${fault.status})`);
    left = error.map(({ documentId }) => documentId);
  }
}

/** Holding an intent back until the person lets it go on. Whichever tab sends it notices by its row. */

/** Nothing happens to what has arrived, or was refused. */
export async function pauseIntent(
  { outbox }: Pick<Replica, "outbox">,
  intentId: string,
): Promise<void> {
  const doc = await outbox.findOne(intentId).exec();
  await doc?.incrementalModify((row: OutboxRow) => {
    if (row.state !== "pending" && row.state !== "sending") return row;
    // The server may have heard of one that was on its way.
    return { ...row, state: "paused", attempts: row.attempts + Number(row.state === "sending") };
  });
}

/** A medium that is thrown away before it was sent takes everything that waits behind it along. */

/**
 * Drops the queued upload of `mediaId` with its likes and comments. "none": the server may have it, and has to
 * be told. "dropped": it never heard of it.
 */
export async function dropUnsentUpload(
  replica: Pick<Replica, "outbox" | "uploads">,
  device: Pick<DeviceStore, "deleteBlobs">,
  mediaId: string,
): Promise<"dropped" | "none"> {
  const docs = await replica.outbox.find({ selector: { lane: `media:${mediaId}` } }).exec();
  const rows = docs.map((doc) => doc.toJSON() as OutboxRow);
  const upload = rows.find((row) => row.kind === "media.create");
  // One that is on its way is left to arrive: a deletion behind it in its lane undoes it for certain.
  if (upload === undefined || ["sending", "acked", "kept"].includes(upload.state)) return "none";
  await dropIntents(replica, device, rows);
  return upload.attempts === 0 ? "dropped" : "none";
}
