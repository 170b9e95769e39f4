/** Puts an intent into the outbox. What it returns is a promise that the intent is safe on this device; it is shown before. */

import { type DeviceStore, isQuotaError } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { newId } from "@/domain/ids";
import { failed, ok, type Result } from "@/domain/result";
import { createSerialQueue } from "@/lib/serial-queue";
import { type Intent, intentRule } from "./intents";
import type { Unwritten } from "./unwritten";

export interface EnqueueDeps {
  replica: Pick<Replica, "outbox">;
  device: Pick<DeviceStore, "putBlob" | "deleteBlobs">;
  unwritten: Unwritten;
  now: () => number;
  random: () => number;
}

type Outbox = Replica["outbox"];

let lastPlace = 0;
/** Places are given in the order in which they were asked for. */
const inTurn = createSerialQueue();
const togglesInTurn = createSerialQueue();

/** The highest place in each queue. Read once, and followed from then on, also where another tab adds: queueing must not read the queue. */
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
