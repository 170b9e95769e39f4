/** Kept rows stay a day with their files, outside the queue: a restored server may lack them. */
import type { PulledOne } from "./lists";
import type { CacheName, Nouns, Replica, RowId } from "./noun";
import { dropIntents, type Files, type Queue, readRows } from "./outbox";
import type { OutboxRow } from "./outbox-row";

/** Milliseconds (architecture, "Epoch"). */
const KEPT_MS = 24 * 3_600_000;

interface KeepDeps {
  replica: Queue & Pick<Replica, CacheName>;
  device: Files;
}

interface Settled {
  rows: OutboxRow[];
  /** Ids of those whose row others removed before this device had it: nothing to recover. */
  undone: ReadonlySet<string>;
}

/**
 * Those acked rows that may leave the overlay: their row is here, or the server says it is gone. A
 * fresh pull does not bring every comment and message, so missing ones are asked for by id.
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
  // An undo goes no sooner than what it undoes, which must never be recovered without it.
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
 * What settled becomes kept; rows that are expired, undone or gone on the server are removed. So
 * are refused ones that were deleted since: retrying would bring them back.
 */
export async function keepIntents(
  { replica, device }: KeepDeps,
  { settled, removed }: { settled: Settled; removed: ReadonlySet<string> },
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
 * Intents end as "gone" while a restored server lacks their medium. They are sent once the medium's
 * owner has sent it again.
 */
async function queueWhatIsBack(replica: KeepDeps["replica"], rows: readonly OutboxRow[]) {
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
  // Later ones in a lane wait until it is known how the earlier ones end.
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
export async function dropKept({ replica, device }: KeepDeps): Promise<void> {
  await dropIntents(replica, device, await readRows(replica, "kept"));
}

const isRevoked = (nouns: Nouns, row: OutboxRow, removed: ReadonlySet<string>): boolean =>
  removed.has(row.target) && nouns.read(row)?.kind.deletes !== true;

const isDeletedBy = (nouns: Nouns, by: OutboxRow, row: OutboxRow): boolean =>
  by.target === row.target && nouns.read(by)?.kind.deletes === true && undoes(nouns, by, row);

/** A clock that was set back since must not keep it for longer. */
const isOver = (row: OutboxRow, now: number): boolean =>
  row.nextAt <= now || row.nextAt > now + KEPT_MS;

/** A later toggle or edit of the same row, or its deletion, leaves nothing to recover. */
export function undoes(nouns: Nouns, later: OutboxRow, row: OutboxRow): boolean {
  if (later.place <= row.place) return false;
  const kind = nouns.read(later)?.kind;
  if (kind?.undoes !== undefined) return kind.undoes(later, row);
  return kind?.toggle === true && later.kind === row.kind && later.target === row.target;
}

/** Whether a later edit of the same row changes all that the earlier one changed. */
export function changesAgain(later: OutboxRow, row: OutboxRow): boolean {
  const again = Object.keys(later.body["changes"] ?? {});
  const isSame = later.kind === row.kind && later.target === row.target;
  return isSame && Object.keys(row.body["changes"] ?? {}).every((name) => again.includes(name));
}
