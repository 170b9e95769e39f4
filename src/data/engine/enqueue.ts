/** Puts intents into the outbox; success means stored here. Pending writes show them before. */
import type { SessionUser } from "@/data/shapes";
import { newId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import { createSerialQueue } from "@/lib/serial-queue";
import { isQuotaError } from "./answers";
import type { Scope, Shared } from "./context";
import type { KeyValue } from "./deps";
import type { DeviceStore } from "./device-store";
import type { Intent, Kind, Replica } from "./noun";
import type { OutboxRow } from "./outbox-row";
import type { PendingWrites } from "./pending";
import { freeSpace } from "./room";

type Outbox = Replica["outbox"];

export interface EnqueueDeps {
  userId: string | null;
  replica: Pick<Replica, "outbox" | "nouns">;
  device: Pick<DeviceStore, "putBlob" | "deleteBlobs">;
  pending: PendingWrites;
  /** Where taps are noted until the outbox has them. */
  local: KeyValue;
  now: () => number;
  random: () => number;
}

export type Acts = ReturnType<typeof createActs>;

/** What nouns make their writes from. `scope` waits for the open data of the signed-in user. */
export function createActs(shared: Shared, scope: () => Promise<Scope>) {
  const user = (): SessionUser | null => {
    const session = shared.auth.session.getSnapshot();
    return session.state === "signed-in" ? session.user : null;
  };
  /** Queues and shows an intent. A full device loses caches first; `storage_full`: nothing kept. */
  const enqueue = async (intent: Intent, blobs?: ReadonlyMap<string, Blob>) => {
    const asking = user()?.id ?? null;
    const open = await scope();
    // Another user may have signed in while it was being opened.
    if (open.userId !== asking) return failed("canceled");
    const { now, random } = shared.deps;
    const { local } = shared.deps.storage;
    const deps = { ...open, pending: shared.pending, local, now, random };
    const queued = await enqueueIntent(deps, intent, blobs);
    if (queued.success || queued.error !== "storage_full") return queued;
    await freeSpace({ ...open, deps: shared.deps });
    return enqueueIntent(deps, intent, blobs);
  };
  const enqueueAs = async (intent: (user: SessionUser) => Intent) => {
    const me = user();
    return me === null ? failed("unauthenticated") : enqueue(intent(me));
  };
  return { shared, scope, user, enqueue, enqueueAs };
}

/** Keys for files in the device store, "" for none, and the blobs by their keys. */
export function keysOf<Name extends string>(prefix: string, files: Record<Name, Blob | null>) {
  const keys = {} as Record<Name, string>;
  const blobs = new Map<string, Blob>();
  for (const name of Object.keys(files) as Name[]) {
    const blob = files[name];
    keys[name] = blob === null ? "" : `${prefix}/${name}`;
    if (blob !== null) blobs.set(keys[name], blob);
  }
  return { keys, blobs };
}

/** `blobs` by their keys are stored before the row that names them. */
export async function enqueueIntent(
  deps: EnqueueDeps,
  intent: Intent,
  blobs: ReadonlyMap<string, Blob> = new Map(),
): Promise<Result<{ intentId: string }>> {
  const kind = deps.replica.nouns.kindOf(intent);
  const asked = rowOf(deps, intent, blobs);
  // A file can be shown only once it is on the device.
  if (blobs.size === 0) deps.pending.add(deps.userId, asked);
  const notes = isTap(kind) ? tapNotes(deps.local, deps.userId) : null;
  notes?.add(asked);
  try {
    for (const [key, blob] of blobs) await deps.device.putBlob(key, blob);
    await store(deps.replica.outbox, kind, asked, deps.now());
    deps.pending.written(asked.id);
    return ok({ intentId: asked.id });
  } catch (error) {
    deps.pending.takeBack(asked.id);
    await deps.device.deleteBlobs([...blobs.keys()]).catch(() => undefined);
    if (isQuotaError(error)) return failed("storage_full");
    throw error;
  } finally {
    notes?.remove(asked.id);
  }
}

async function store(outbox: Outbox, kind: Kind, asked: OutboxRow, now: number): Promise<void> {
  const row = { ...asked, place: await nextPlace(outbox, now) };
  // In turn: two at once would each find nothing to replace, and both would be sent.
  if (kind.toggle) await togglesInTurn(() => replaceUnsent(outbox, row));
  else await insert(outbox, row);
}

/** Another tab may have taken the row up from its note. */
async function insert(outbox: Outbox, row: OutboxRow): Promise<void> {
  await outbox.insert(row).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== "CONFLICT") throw error;
  });
}

/** What is done by a tap holds no words. Those are kept as drafts, or by a dialog that stays. */
const isTap = (kind: Kind): boolean => kind.toggle === true || kind.deletes === true;

/**
 * Taps are shown before they are on the disk, where writing takes a while. A page that is left in
 * that while drops the write, so they are noted where writing is done at once. The key is on
 * users' devices: never rename.
 */
export function tapNotes(local: KeyValue, userId: string | null) {
  const key = `augenblick.taps.${userId ?? ""}`;
  const read = (): OutboxRow[] => {
    try {
      const rows: unknown = JSON.parse(local.getItem(key) ?? "[]");
      return Array.isArray(rows) ? rows.filter((row) => typeof row?.body === "object") : [];
    } catch {
      return [];
    }
  };
  const write = (rows: OutboxRow[]) => {
    try {
      if (rows.length === 0) local.removeItem(key);
      else local.setItem(key, JSON.stringify(rows));
    } catch {
      // Ignoring it: a browser that denies this, or is full, has the outbox alone.
    }
  };
  return {
    read,
    add: (row: OutboxRow) => write([...read(), row]),
    remove: (id: string) => write(read().filter((row) => row.id !== id)),
    clear: () => write([]),
  };
}

/** Queues the taps of pages that were left before these were on the disk. */
export async function takeUpTaps(
  { deps, log }: { deps: Pick<Shared["deps"], "storage" | "now">; log: Shared["log"] },
  { replica, userId }: Pick<EnqueueDeps, "replica" | "userId">,
): Promise<void> {
  const notes = tapNotes(deps.storage.local, userId);
  try {
    for (const row of notes.read()) {
      const kind = replica.nouns.read(row)?.kind;
      if (kind !== undefined && !(await isOvertaken(replica.outbox, row))) {
        await store(replica.outbox, kind, row, deps.now());
      }
      notes.remove(row.id);
    }
  } catch (error) {
    log("What was tapped before a page was left could not be queued yet", error);
  }
}

/** Whether it was stored after all, or another tab has asked something newer of its target. */
async function isOvertaken(outbox: Outbox, { id, kind, target, createdAt }: OutboxRow) {
  const rows = await outbox.find({ selector: { kind, target } }).exec();
  return rows.some((row) => row.id === id || row.createdAt > createdAt);
}

function rowOf(
  { replica, now, random }: EnqueueDeps,
  intent: Intent,
  blobs: ReadonlyMap<string, Blob>,
): OutboxRow {
  const kind = replica.nouns.kindOf(intent);
  return {
    id: newId(random),
    kind: intent.kind,
    lane: kind.lane(intent.body),
    target: kind.target(intent.body),
    state: "pending",
    body: intent.body as unknown as Record<string, unknown>,
    place: 0,
    createdAt: now(),
    attempts: 0,
    nextAt: 0,
    spent: 0,
    bytes: [...blobs.values()].reduce((sum, blob) => sum + blob.size, 0),
    code: "",
    message: "",
  };
}

let lastPlace = 0;
const placesInTurn = createSerialQueue();
const togglesInTurn = createSerialQueue();

/** The highest place in each outbox, read once and then followed: enqueueing reads no queue. */
const tops = new WeakMap<Outbox, Promise<{ place: number }>>();

async function followTop(outbox: Outbox): Promise<{ place: number }> {
  const top = { place: 0 };
  const raise = (place: number) => {
    top.place = Math.max(top.place, place);
  };
  outbox.$.subscribe((event) => raise(event.documentData.place));
  for (const doc of await outbox.find().exec()) raise(doc.place);
  return top;
}

/** After everything that waits, even within a millisecond or after the clock was set back. */
const nextPlace = (outbox: Outbox, now: number): Promise<number> =>
  placesInTurn(async () => {
    const known = tops.get(outbox) ?? followTop(outbox);
    tops.set(outbox, known);
    const top = await known.catch((error: unknown) => {
      tops.delete(outbox);
      throw error;
    });
    lastPlace = Math.max(lastPlace + 1, now * 1000, top.place + 1);
    return lastPlace;
  });

/**
 * The last toggle of a target wins; one that is being sent is left to arrive first. One that takes
 * back what the server never heard of is sent too, for another device may have said otherwise, but
 * quietly: on this one nothing has happened.
 */
async function replaceUnsent(outbox: Outbox, row: OutboxRow): Promise<void> {
  const older = await outbox
    .find({
      selector: {
        kind: row.kind,
        target: row.target,
        state: { $in: ["pending", "paused", "refused"] },
      },
    })
    .exec();
  const isQuiet = older.length > 0 && older.every((doc) => isUnheardOpposite(doc, row));
  await outbox.bulkRemove(older.map((doc) => doc.id));
  await insert(outbox, isQuiet ? { ...row, body: { ...row.body, quiet: true } } : row);
}

const isUnheardOpposite = ({ state, attempts, body }: OutboxRow, row: OutboxRow): boolean =>
  attempts === 0 && state !== "refused" && !body["quiet"] && body["on"] === !row.body["on"];

/** What the queue does not show: it takes back what never left it. */
export const isQuiet = ({ state, body }: OutboxRow): boolean =>
  state !== "refused" && body["quiet"] === true;
