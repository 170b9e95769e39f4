/** Puts intents into the outbox; success means stored here. Pending writes show them before. */
import type { SessionUser } from "@/data/shapes";
import { newId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import { createSerialQueue } from "@/lib/serial-queue";
import type { Scope, Shared } from "./context";
import { type DeviceStore, isQuotaError } from "./device-store";
import type { Intent, Replica } from "./noun";
import type { OutboxRow } from "./outbox-row";
import type { PendingWrites } from "./pending";
import { freeSpace } from "./room";

type Outbox = Replica["outbox"];

export interface EnqueueDeps {
  userId: string | null;
  replica: Pick<Replica, "outbox" | "nouns">;
  device: Pick<DeviceStore, "putBlob" | "deleteBlobs">;
  pending: PendingWrites;
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
    const deps = { ...open, pending: shared.pending, now, random };
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
  try {
    const row = { ...asked, place: await nextPlace(deps.replica.outbox, deps.now()) };
    for (const [key, blob] of blobs) await deps.device.putBlob(key, blob);
    // In turn: two at once would each find nothing to replace, and both would be sent.
    if (kind.toggle) await togglesInTurn(() => replaceUnsent(deps.replica.outbox, row));
    else await deps.replica.outbox.insert(row);
    deps.pending.written(row.id);
    return ok({ intentId: row.id });
  } catch (error) {
    deps.pending.takeBack(asked.id);
    await deps.device.deleteBlobs([...blobs.keys()]).catch(() => undefined);
    if (isQuotaError(error)) return failed("storage_full");
    throw error;
  }
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

/** The last toggle of a target wins; one that is being sent is left to arrive first. */
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
  await outbox.bulkRemove(older.map((doc) => doc.id));
  await outbox.insert(row);
}
