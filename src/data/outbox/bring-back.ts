/**
 * A fresh pull brings lists, and neither every comment nor every message: what this device made just before is asked
 * for by its id, so that it does not leave the screen when it leaves the overlay.
 */
import type { CacheName, Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import type { PulledOne } from "@/data/sync/pull-one";
import { parseIntent } from "./intents";
import { outcomeOf } from "./offer-again";

interface BringDeps {
  replica: Replica;
  ask: (name: CacheName, id: string) => Promise<PulledOne>;
}

/** Of the acknowledged rows those that may leave the overlay: what they made is here, or gone by the server's word. */
export async function bringBack(
  { replica, ask }: BringDeps,
  acked: readonly OutboxRow[],
): Promise<OutboxRow[]> {
  const settled: OutboxRow[] = [];
  for (const row of acked) {
    const intent = parseIntent(row);
    const made = intent === null ? null : outcomeOf(intent);
    const isHere = made === null || !made.on || row.code === "gone";
    if (isHere || (await replica[made.name].findOne(made.id).exec()) !== null) settled.push(row);
    else if ((await ask(made.name, made.id)).state !== "failed") settled.push(row);
  }
  return settled;
}
