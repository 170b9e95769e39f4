/**
 * The end of an intent's life: acked → kept → removed. What a pull has brought back leaves the
 * overlay and stays on the device for a day, with its files, because a server that went back to a
 * backup may have lost it (engine/recover). Kept rows are no part of the queue: nothing shows,
 * counts or sends them.
 */

import type { DeviceStore } from "./device-store";
import type { PulledOne } from "./lists";
import type { CacheName, Nouns, Replica, RowId } from "./noun";
import { dropIntents, readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";

/** Milliseconds (architecture, "Epoch"). */
const KEPT_MS = 24 * 3_600_000;

interface KeepDeps {
  replica: Pick<Replica, "outbox" | "uploads" | "nouns"> & Pick<Replica, CacheName>;
  device: Pick<DeviceStore, "deleteBlobs">;
}

/** What a pull brought. */
interface Pulled {
  settled: Settled;
  /** Ids of what the server no longer shows this person. */
  removed: ReadonlySet<string>;
}

/** Acknowledged rows that leave the overlay. */
interface Settled {
  rows: OutboxRow[];
  /** Ids of those whose row others removed before this device had it: nothing to recover. */
  undone: ReadonlySet<string>;
}

/**
 * Of the acknowledged rows those that may leave the overlay: what they made is here, or gone by the
 * server's word. A fresh pull brings neither every comment nor every message, so what is missing is
 * asked for by its id.
 */
export async function settledRows(
  { replica, ask }: { replica: Replica; ask: (row: RowId) => Promise<PulledOne> },
  acked: readonly OutboxRow[],
): Promise<Settled> {
  const { nouns } = replica;
  const made = acked.map((row) => ({ row, wanted: wantedBy(nouns, row) }));
  const here = await readHere(
    replica,
    made.flatMap(({ wanted }) => wanted ?? []),
  );
  const settled: OutboxRow[] = [];
  const open: OutboxRow[] = [];
  const undone = new Set<string>();
  for (const { row, wanted } of made) {
    const isHere = wanted === null || here.has(`${wanted.name} ${wanted.id}`);
    const state = isHere ? "pulled" : (await ask(wanted)).state;
    (state === "failed" ? open : settled).push(row);
    if (state === "gone") undone.add(row.id);
  }
  // What undoes something goes no sooner than that: what was made must never be recovered without
  // it.
  const rows = settled.filter((row) => !open.some((earlier) => undoes(nouns, row, earlier)));
  return { rows, undone };
}

function wantedBy(nouns: Nouns, row: OutboxRow): RowId | null {
  if (row.code === "gone") return null;
  const read = nouns.read(row);
  const made = read?.kind.makes?.(read.intent.body);
  return made?.on === true ? made : null;
}

/** One query for each collection, however many were sent. */
async function readHere(replica: Replica, wanted: readonly RowId[]): Promise<Set<string>> {
  const names = [...new Set(wanted.map(({ name }) => name))];
  const found = names.map(async (name) => {
    const ids = wanted.filter((one) => one.name === name).map(({ id }) => id);
    const docs = await replica[name].findByIds(ids).exec();
    return [...docs.keys()].map((id) => `${name} ${id}`);
  });
  return new Set((await Promise.all(found)).flat());
}

/**
 * What settled becomes kept; what is older than its time, undone, or gone by the server's word is
 * removed. So is what was refused and has been deleted since: a new try would bring it back.
 */
export async function keepIntents(
  { replica, device }: KeepDeps,
  { settled, removed }: Pulled,
  now: number,
): Promise<void> {
  const { outbox, nouns } = replica;
  const [kept, refused, latest] = await Promise.all([
    readRows(replica, "kept"),
    readRows(replica, "refused"),
    outbox.findByIds(settled.rows.map((row) => row.id)).exec(),
  ]);
  const ended = [...latest.values()].filter((doc) => doc.state === "acked");
  const keeping = ended.flatMap((doc) => {
    const kind = nouns.read(doc.toJSON() as OutboxRow)?.kind;
    return kind === undefined || settled.undone.has(doc.id)
      ? []
      : [{ doc, until: now + (kind.keptMs ?? KEPT_MS) }];
  });
  // Together they are one write; each on its own is the price of a whole pull.
  const patched = await Promise.all(
    keeping.map(({ doc, until }) => doc.incrementalPatch({ state: "kept", nextAt: until })),
  );
  const fresh = patched.map((doc) => doc.toJSON() as OutboxRow);
  const over = [
    ...kept.filter((row) => isOver(row, now) || isRevoked(nouns, row, removed)),
    ...[...kept, ...fresh].filter((row) => fresh.some((by) => undoes(nouns, by, row))),
    ...refused.filter((row) => fresh.some((by) => isDeletedBy(nouns, by, row))),
  ];
  const others = ended.filter((doc) => !keeping.some((one) => one.doc === doc));
  await dropIntents(replica, device, [...over, ...others.map((doc) => doc.toJSON() as OutboxRow)]);
  await queueWhatIsBack(
    replica,
    [...kept, ...fresh].filter((row) => !over.includes(row)),
  );
}

/**
 * A restored server may lack a medium until its owner's device has sent it again. What others said
 * about it meanwhile ended as if it had been deleted; where it is here once more, it is sent after
 * all.
 */
async function queueWhatIsBack(
  replica: KeepDeps["replica"],
  rows: readonly OutboxRow[],
): Promise<void> {
  const { nouns } = replica;
  const ended = rows.flatMap((row) => {
    const read = row.code === "gone" ? nouns.read(row) : null;
    const about = read?.kind.about?.(read.intent.body) ?? null;
    return about === null ? [] : [{ row, about }];
  });
  if (ended.length === 0) return;
  const here = await readHere(
    replica as Replica,
    ended.map(({ about }) => about),
  );
  const queue = await readRows(replica, "pending", "sending", "paused", "acked");
  // What is still under way may end the same way: nothing later in its lane goes before that is
  // known.
  const back = ended.filter(
    ({ row, about }) =>
      here.has(`${about.name} ${about.id}`) &&
      !queue.some((by) => undoes(nouns, by, row) || (by.lane === row.lane && by.place < row.place)),
  );
  for (const { row } of back.sort((a, b) => a.row.place - b.row.place)) {
    const doc = await replica.outbox.findOne(row.id).exec();
    await doc?.incrementalPatch({ state: "pending", nextAt: 0, spent: 0, code: "" });
  }
}

/** Forgets the last day: at a sign-out, and where the device needs the space. */
export async function dropKept({
  replica,
  device,
}: {
  replica: Pick<Replica, "outbox" | "uploads" | "nouns">;
  device: Pick<DeviceStore, "deleteBlobs">;
}): Promise<void> {
  await dropIntents(replica, device, await readRows(replica, "kept"));
}

const isRevoked = (nouns: Nouns, row: OutboxRow, removed: ReadonlySet<string>): boolean =>
  removed.has(row.target) && nouns.read(row)?.kind.deletes !== true;

const isDeletedBy = (nouns: Nouns, by: OutboxRow, row: OutboxRow): boolean =>
  by.target === row.target && nouns.read(by)?.kind.deletes === true && undoes(nouns, by, row);

/** A clock that was set back since must not keep it for longer. */
const isOver = (row: OutboxRow, now: number): boolean =>
  row.nextAt <= now || row.nextAt > now + KEPT_MS;

/**
 * A later toggle or edit of the same, or the deletion of what was made, leaves nothing to recover.
 */
export function undoes(nouns: Nouns, later: OutboxRow, row: OutboxRow): boolean {
  if (later.place <= row.place) return false;
  const kind = nouns.read(later)?.kind;
  if (kind?.undoes !== undefined) return kind.undoes(later, row);
  return kind?.toggle === true && later.kind === row.kind && later.target === row.target;
}
