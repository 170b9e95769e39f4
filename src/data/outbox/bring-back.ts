/**
 * A fresh pull brings lists, and neither every comment nor every message: what this device made just before is asked
 * for by its id, so that it does not leave the screen when it leaves the overlay.
 */
import type { CacheName, Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import type { PulledOne } from "@/data/sync/pull-one";
import { parseIntent } from "./intents";
import { undoes } from "./keep-intents";
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
