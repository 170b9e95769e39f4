/**
 * Which media this device holds, as a pull tells the feed, which leaves out the others and the
 * comments on them: all from the end of the gallery's list on, and those of the older rows here by
 * marks of their ids. One's own always come, and so do deletions.
 *
 * [Note: Named windows] What a stored window covers is right up to the stored checkpoint. A row
 * that came by a list since the last pull, and is not covered, may have changed between that list
 * and that pull's page: it is compared with the server once, with the comments on it that are here,
 * and covered from then on. So the window is stored after that, before the checkpoint goes on; a
 * crash in between compares again. A row that a list brings late although the window covers it lost
 * to the feed's, whose number is higher.
 */
import { applyChanges, writeRecords } from "@/data/engine/apply";
import { pullIds, pullRecords } from "@/data/engine/lists";
import type { Named, WindowPull } from "@/data/engine/noun";
import { filterOf } from "@/data/engine/remote";
import { countOf, newestFirst, type RawRecord, textOf } from "@/data/engine/rows";
import { MARKS_MAX, markOf, type Window } from "@/domain/feed-window";
import { ok, type Result } from "@/domain/result";
import { parseInstant } from "@/domain/times";
import type { MediaRow } from "./row";
import { windowOf } from "./windows";

type Held = Pick<MediaRow, "id" | "createdAt" | "seq">;

/** Null where the list has no end here: then all media are asked for. */
export async function nameHeldMedia(pulling: WindowPull): Promise<Named> {
  const { device } = pulling;
  const before = await device.readNamed();
  const reached = windowOf(device.windows$.value, { filter: "all" });
  const isWhole = reached === undefined || reached === "end";
  const from = isWhole ? null : parseInstant(reached.createdAt);
  const oldest = Math.max(before?.from ?? 0, from ?? 0);
  const older = before === null && from === null ? [] : await readOlder(pulling, oldest);
  const window = from === null ? null : windowFor(older, from);
  const query: Named["query"] =
    window === null ? {} : { mediaFrom: window.from, mediaMarks: window.marks, comments: "held" };
  return {
    query,
    async settle(rows) {
      const uncovered = rows === "fresh" ? [] : older.filter((row) => !covers(before, row));
      const compared = await compareRows(pulling, uncovered);
      if (!compared.success) return compared;
      if (window?.from === before?.from && window?.marks === before?.marks) return ok(null);
      await device.writeNamed(window);
      return ok(null);
    },
  };
}

/** The rows of others made before `from`, the newest first. */
async function readOlder({ replica, userId }: WindowPull, from: number): Promise<Held[]> {
  const docs = await replica.media
    .find({
      selector: { sortKey: { $gt: newestFirst(from) } },
      sort: [{ sortKey: "asc" }, { id: "asc" }],
      index: ["sortKey", "id"],
    })
    .exec();
  return docs.filter((doc) => doc.userId !== userId);
}

/** `older`: newest first. Where there are too many to mark, the window reaches down to them. */
export function windowFor(older: readonly Held[], reached: number): Window {
  const rows = older.filter((row) => row.createdAt < reached);
  const unmarked = rows.slice(0, Math.max(0, rows.length - MARKS_MAX)).at(-1);
  const marks = new Set(rows.slice(-MARKS_MAX).map(({ id }) => markOf(id)));
  return { from: unmarked?.createdAt ?? reached, marks: [...marks].join("") };
}

/** Whether the server counts the row to the window; one without a name covers all. */
export const covers = (window: Window | null, { id, createdAt }: Omit<Held, "seq">): boolean =>
  window === null || createdAt >= window.from || window.marks.includes(markOf(id));

/** Brings rows up to date; of most the number alone is asked for. */
async function compareRows(
  { remote, replica, onApplied }: WindowPull,
  rows: readonly Held[],
): Promise<Result<null>> {
  if (rows.length === 0) return ok(null);
  const known = new Map(rows.map(({ id, seq }) => [id, seq]));
  const changed: string[] = [];
  const note = async (records: RawRecord[]) => {
    const newer = records.filter(
      (record) => countOf(record, "seq") > (known.get(textOf(record, "id")) ?? 0),
    );
    changed.push(...newer.map((record) => textOf(record, "id")));
  };
  const asked = { ids: [...known.keys()], fields: "id,seq" };
  const compared = await pullIds(remote, "media", asked, note);
  if (!compared.success) return compared;
  const documents: RawRecord[] = [];
  const pulled = await pullIds(remote, "media", changed, async (records) => {
    documents.push(...records);
  });
  if (!pulled.success) return pulled;
  const deleted = [...compared.value.missing, ...pulled.value.missing];
  const applied = await applyChanges(replica, { media: { documents, deleted } });
  if (applied.changed) onApplied(applied, true);
  for (const id of changed) {
    const commented = await compareComments({ remote, replica }, id);
    if (!commented.success) return commented;
  }
  return ok(null);
}

/** As many as can have come while a page was on its way. */
const COMMENTS = 100;

/** The newest comments on a medium of which some are here. */
async function compareComments(
  { remote, replica }: Pick<WindowPull, "remote" | "replica">,
  mediaId: string,
): Promise<Result<null>> {
  if ((await replica.comments.findOne({ selector: { mediaId } }).exec()) === null) return ok(null);
  const filter = filterOf("mediaId = {:mediaId}", { mediaId });
  const asked = { filter, sort: "-createdAt,-id", perPage: COMMENTS };
  const listed = await pullRecords(remote, "comments", asked);
  if (!listed.success) return listed;
  await writeRecords(replica, "comments", listed.value);
  return ok(null);
}
