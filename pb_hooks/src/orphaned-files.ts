/**
 * Stored files that no row names: what a crash between storing and saving leaves behind. A file counts as orphaned only
 * when its folder was not touched for an hour, because files are stored before their row is.
 */
import { ID_PATTERN } from "@/domain/ids";
import type { CleanupStep } from "./admin-cleanup";

const SETTLED_MS = 3_600_000;
/** Folders that one look into the database covers, and how long one step may look, milliseconds. */
const BATCH = 500;
const STEP_MS = 1_000;

interface Place {
  folder: string;
  table: string;
  fields: string[];
}

/** Collections with files, in a steady order. */
function placesOf(app: CoreApp): Place[] {
  const places: Place[] = [];
  for (const collection of app.findAllCollections()) {
    if (!collection || collection.isView()) continue;
    const fields: string[] = [];
    for (const field of collection.fields)
      if (field?.type() === "file") fields.push(field.getName());
    const folder = $filepath.join(app.dataDir(), "storage", collection.id);
    if (fields.length > 0) places.push({ folder, table: collection.name, fields });
  }
  return places.sort((a, b) => (a.table < b.table ? -1 : 1));
}

function entriesOf(folder: string): os.DirEntry[] {
  try {
    return $os.readDir(folder) as os.DirEntry[];
  } catch {
    // Nothing was ever stored there, or it went a moment ago.
    return [];
  }
}

/** Index of the first name above `after`; the list is sorted by name. */
function firstAfter(entries: os.DirEntry[], after: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.name() ?? "") <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The stored names of each of these rows; a row that does not exist is missing. */
function liveNames(app: CoreApp, place: Place, ids: string[]): Map<string, Set<string>> {
  const rows = arrayOf(new DynamicModel({ id: "", names: "" })) as unknown as {
    id: string;
    names: string;
  }[];
  const names = place.fields.map((field) => `COALESCE([[${field}]], '')`).join(", ");
  app
    .db()
    .newQuery(
      `SELECT id, json_array(${names}) AS names FROM {{${place.table}}}
       WHERE id IN (SELECT value FROM json_each({:ids}))`,
    )
    .bind({ ids: JSON.stringify(ids) })
    .all(rows);
  const live = new Map<string, Set<string>>();
  for (const row of rows) live.set(row.id, new Set(namesIn(JSON.parse(row.names) as string[])));
  return live;
}

/** A field with several files holds the JSON of a list. */
const namesIn = (values: string[]): string[] =>
  values.flatMap((value) => (value.startsWith("[") ? (JSON.parse(value) as string[]) : [value]));

/** The stored file that an entry of a record's folder belongs to: its attributes and its thumbs lie beside it. */
function ownerOf(name: string): string {
  if (name.startsWith("thumbs_")) return name.slice("thumbs_".length);
  return name.endsWith(".attrs") ? name.slice(0, -".attrs".length) : name;
}

const isSettled = (entry: os.DirEntry, now: number): boolean =>
  (entry.info()?.modTime().unixMilli() ?? now) < now - SETTLED_MS;

interface Sweep {
  now: number;
  remove: boolean;
  found: { items: number; bytes: number };
}

function sweepFolder(path: string, live: Set<string> | undefined, sweep: Sweep): void {
  let kept = 0;
  for (const entry of entriesOf(path)) {
    const name = entry.name();
    if (live?.has(ownerOf(name)) || !isSettled(entry, sweep.now)) {
      kept += 1;
      continue;
    }
    // What lies beside a file is not counted as one.
    if (!entry.isDir() && ownerOf(name) === name) {
      sweep.found.items += 1;
      sweep.found.bytes += Number(entry.info()?.size() ?? 0);
    }
    if (sweep.remove) $os.removeAll($filepath.join(path, name));
  }
  if (sweep.remove && live === undefined && kept === 0) $os.remove(path);
}

function sweepBatch(app: CoreApp, place: Place, batch: os.DirEntry[], sweep: Sweep): void {
  const folders = batch.filter(
    (entry) => entry.isDir() && ID_PATTERN.test(entry.name()) && isSettled(entry, sweep.now),
  );
  const live = liveNames(
    app,
    place,
    folders.map((entry) => entry.name()),
  );
  for (const entry of folders) {
    const name = entry.name();
    try {
      sweepFolder($filepath.join(place.folder, name), live.get(name), sweep);
    } catch (error) {
      app.logger().warn("skipping a stored folder", "folder", name, "error", String(error));
    }
  }
}

/** One step from `after` (`table/folder`, "" for the beginning): as much as a second allows. */
export function sweepOrphans(app: CoreApp, after: string, remove: boolean): CleanupStep {
  const found = { items: 0, bytes: 0 };
  const places = placesOf(app);
  const [table = "", folder = ""] = after.split("/");
  const at = table === "" ? 0 : places.findIndex((place) => place.table === table);
  const place = places[at];
  if (app.settings().s3.enabled || !place) return { ...found, percent: 100, next: null };
  const now = Date.now();
  const entries = entriesOf(place.folder);
  let index = firstAfter(entries, folder);
  while (index < entries.length && Date.now() < now + STEP_MS) {
    const batch = entries.slice(index, index + BATCH);
    sweepBatch(app, place, batch, { now, remove, found });
    index += batch.length;
  }
  const isThrough = index >= entries.length;
  const share = isThrough ? 1 : index / entries.length;
  const last = places[at + 1];
  const next = isThrough
    ? last
      ? `${last.table}/`
      : null
    : `${table || place.table}/${entries[index - 1]?.name()}`;
  return { ...found, percent: Math.floor((100 * (at + share)) / places.length), next };
}
