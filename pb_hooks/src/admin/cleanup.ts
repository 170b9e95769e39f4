/**
 * Cleaning up from the panel, in steps of about a second, so that it can show progress and stop
 * anywhere. GET counts what a step would remove, POST removes it. The request says where a step
 * begins; the server remembers nothing between two steps.
 */
import { countOldTombstones, pruneSomeTombstones } from "@hooks/feed/history";
import { answer, busyError, NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import { type FileStorage, storagesOf } from "@hooks/storage";
import {
  expiredUploads,
  orphanedPartials,
  partialSize,
  removePartial,
} from "@hooks/tus/partial-files";
import { ID_PATTERN } from "@/domain/ids";
import { writeAudit } from "./audit";
import { admitAdmin, queryOf } from "./pages";

export const cleanupHandlers = {
  /** `GET /api/admin/cleanup/{task}?after=`: what the step would remove. */
  previewCleanup(e: core.RequestEvent): void {
    if (!admitAdmin(e)) return;
    const task = taskOf(e);
    if (task) answer(e, 200, task.run(e.app, task.after, false));
  },

  /** `POST /api/admin/cleanup/{task}?after=`: removes it and audits that. */
  runCleanup(e: core.RequestEvent): void {
    if (!admitAdmin(e)) return;
    const task = taskOf(e);
    if (!task) return;
    const step = task.run(e.app, task.after, true);
    if (step.items > 0) {
      const details = { items: step.items, bytes: step.bytes };
      writeAudit(e.app, e, { action: "cleanup.run", target: task.name, details });
    }
    answer(e, 200, step);
  },
};

interface CleanupStep {
  items: number;
  bytes: number;
  /** Progress of the whole task after this step. */
  percent: number;
  /** The `after` of the next step; null at the end. */
  next: string | null;
}

type Task = (app: CoreApp, after: string, remove: boolean) => CleanupStep;

/** The last step: after the rows, by id, come the partial files without a row. */
const FILES = "files";

const sweepExpired: Task = (app, after, remove) => {
  const step = { items: 0, bytes: 0 };
  const add = (id: string): void => {
    step.items += 1;
    step.bytes += Math.max(0, partialSize(app, id));
  };
  if (after === FILES) {
    for (const name of orphanedPartials(app)) {
      add(name);
      if (remove) removePartial(app, name);
    }
    return { ...step, percent: 100, next: null };
  }
  const expired = expiredUploads(app, after);
  for (const upload of expired) {
    add(upload.id);
    if (remove) app.delete(upload);
  }
  return { ...step, percent: 50, next: expired[expired.length - 1]?.id ?? FILES };
};

/** `after` is the number removed so far: each step begins with the oldest tombstone left. */
const sweepTombstones: Task = (app, after, remove) => {
  if (!remove) return { items: countOldTombstones(app), bytes: 0, percent: 100, next: null };
  const items = pruneSomeTombstones(app);
  const done = Number(after) + items;
  const left = countOldTombstones(app);
  const percent = left === 0 ? 100 : Math.floor((100 * done) / (done + left));
  return { items, bytes: 0, percent, next: left === 0 || items === 0 ? null : String(done) };
};

const TASKS: Record<string, Task> = {
  "orphaned-files": sweepOrphans,
  "expired-uploads": sweepExpired,
  "old-tombstones": sweepTombstones,
};

function taskOf(e: core.RequestEvent): { name: string; run: Task; after: string } | null {
  const name = e.request?.pathValue("task") ?? "";
  const run = Object.keys(TASKS).includes(name) ? TASKS[name] : undefined;
  const after = queryOf(e, "after");
  if (!run) refuse(e, NOT_FOUND);
  else if (!/^[A-Za-z0-9_/]{0,80}$/.test(after)) refuse(e, refusalOf("invalid"));
  else return { name, run, after };
  return null;
}

/**
 * Files are stored before their row, so a crash in between leaves orphans. A file counts as one
 * only when its folder has not changed for an hour.
 */
const SETTLED_MS = 3_600_000;

/** Folders that one query covers. */
const BATCH = 500;
/** How long a step may take. */
const STEP_MS = 1_000;

function entriesOf(folder: string): os.DirEntry[] {
  try {
    return $os.readDir(folder) as os.DirEntry[];
  } catch {
    // Nothing was stored there yet, or it has just been deleted.
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

/** The names of the stored files of these rows, by id; without rows that do not exist. */
function namesByRow(app: CoreApp, storage: FileStorage, ids: string[]): Map<string, Set<string>> {
  const rows = arrayOf(new DynamicModel({ id: "", names: "" })) as unknown as {
    id: string;
    names: string;
  }[];
  const names = storage.fields.map((field) => `COALESCE([[${field}]], '')`).join(", ");
  app
    .db()
    .newQuery(
      `SELECT id, json_array(${names}) AS names FROM {{${storage.table}}}
       WHERE id IN (SELECT value FROM json_each({:ids}))`,
    )
    .bind({ ids: JSON.stringify(ids) })
    .all(rows);
  const live = new Map<string, Set<string>>();
  for (const row of rows) live.set(row.id, new Set(namesIn(JSON.parse(row.names) as string[])));
  return live;
}

/** A field with several files contains a JSON list. */
const namesIn = (values: string[]): string[] =>
  values.flatMap((value) => (value.startsWith("[") ? (JSON.parse(value) as string[]) : [value]));

/** The stored file that a folder entry belongs to: attributes and thumbs are beside their file. */
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
    // Attributes and thumbs are not counted as files.
    if (!entry.isDir() && ownerOf(name) === name) {
      sweep.found.items += 1;
      sweep.found.bytes += Number(entry.info()?.size() ?? 0);
    }
    if (sweep.remove) $os.removeAll($filepath.join(path, name));
  }
  if (sweep.remove && live === undefined && kept === 0) $os.remove(path);
}

function sweepBatch(app: CoreApp, storage: FileStorage, batch: os.DirEntry[], sweep: Sweep): void {
  const folders = batch.filter(
    (entry) => entry.isDir() && ID_PATTERN.test(entry.name()) && isSettled(entry, sweep.now),
  );
  const live = namesByRow(
    app,
    storage,
    folders.map((entry) => entry.name()),
  );
  for (const entry of folders) {
    const name = entry.name();
    try {
      sweepFolder($filepath.join(storage.folder, name), live.get(name), sweep);
    } catch (error) {
      app.logger().warn("skipping a stored folder", "folder", name, "error", String(error));
    }
  }
}

/** What one look into a bucket may cover: the ids that begin with this. */
const ID_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Rows that one look should have at most. */
const LOOK_ROWS = 4_000;

/** Beginnings of ids that cover all of them, in their order, each about `LOOK_ROWS` rows. */
function beginningsFor(rows: number): string[] {
  let all = [""];
  for (let each = rows; each > LOOK_ROWS; each /= ID_CHARACTERS.length) {
    all = all.flatMap((begin) => Array.from(ID_CHARACTERS, (next) => begin + next));
  }
  return all;
}

interface Stored {
  key: string;
  name: string;
  size: number;
}

/** What one look covers: ids that begin so, and of them those after `done`. */
interface Look {
  begin: string;
  done: string;
}

/**
 * The objects whose ids begin so, by row, without those up to row `done` and those that may belong
 * to a row that comes now.
 */
function settledObjects(
  files: filesystem.System,
  { prefix }: FileStorage,
  { begin, done }: Look,
  now: number,
): Map<string, Stored[]> {
  const found = new Map<string, Stored[]>();
  for (const object of files.list(prefix + begin)) {
    const [row = "", name = ""] = (object?.key ?? "").slice(prefix.length).split("/");
    const isOld = (object?.modTime.unixMilli() ?? now) < now - SETTLED_MS;
    if (!isOld || !ID_PATTERN.test(row) || row <= done || name === "") continue;
    const stored = { key: object?.key ?? "", name, size: Number(object?.size ?? 0) };
    found.set(row, [...(found.get(row) ?? []), stored]);
  }
  return found;
}

interface BucketSweep extends Sweep {
  files: filesystem.System;
}

function sweepRow(
  app: CoreApp,
  objects: Stored[],
  live: Set<string> | undefined,
  { files, remove, found }: BucketSweep,
): void {
  for (const { key, name, size } of objects) {
    if (live?.has(ownerOf(name))) continue;
    try {
      if (remove) files.delete(key);
      found.items += 1;
      found.bytes += size;
    } catch (error) {
      app.logger().warn("skipping a stored object", "key", key, "error", String(error));
    }
  }
}

/**
 * One look: removes what no row names. What cannot be removed now is found again next time, and so
 * is what a lost connection hides, which PocketBase takes for the end of the list. Answers the row
 * after which its time was over; null at the end of the look. The time begins when the list is
 * there: a list that takes long must not leave time for a single row.
 */
function sweepObjects(
  app: CoreApp,
  storage: FileStorage,
  look: Look,
  sweep: BucketSweep,
): string | null {
  const objects = settledObjects(sweep.files, storage, look, sweep.now);
  const rows = [...objects.keys()].sort();
  const end = Date.now() + STEP_MS;
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    const live = namesByRow(app, storage, batch);
    for (const row of batch) {
      sweepRow(app, objects.get(row) ?? [], live.get(row), sweep);
      if (Date.now() >= end && row !== rows[rows.length - 1]) return row;
    }
  }
  return null;
}

/**
 * A step through the bucket, from `after` on: `table/beginning of ids`, the last that was looked
 * at, or `table/id`, the last row within a look.
 */
function sweepBucket(
  app: CoreApp,
  storages: FileStorage[],
  after: string,
  remove: boolean,
): CleanupStep {
  const files = app.newFilesystem();
  const sweep = { now: Date.now(), remove, found: { items: 0, bytes: 0 }, files };
  const [table = "", last = ""] = after.split("/");
  const at = table === "" ? 0 : storages.findIndex((storage) => storage.table === table);
  const storage = storages[at];
  if (!storage) return { ...sweep.found, percent: 100, next: null };
  const beginnings = beginningsFor(app.countRecords(storage.table));
  let done = ID_PATTERN.test(last) ? last : "";
  let index = 0;
  if (done !== "") index = beginnings.findIndex((begin) => done.startsWith(begin));
  else if (last !== "") index = beginnings.filter((begin) => begin <= last).length;
  const percentAt = () => Math.floor((100 * (at + index / beginnings.length)) / storages.length);
  try {
    while (index < beginnings.length && Date.now() < sweep.now + STEP_MS) {
      const row = sweepObjects(app, storage, { begin: beginnings[index] ?? "", done }, sweep);
      if (row !== null)
        return { ...sweep.found, percent: percentAt(), next: `${storage.table}/${row}` };
      done = "";
      index += 1;
    }
  } catch (error) {
    app.logger().warn("the bucket cannot be listed", "error", String(error));
    throw busyError();
  } finally {
    files.close();
  }
  const percent = percentAt();
  if (index < beginnings.length) {
    return { ...sweep.found, percent, next: `${storage.table}/${beginnings[index - 1]}` };
  }
  const following = storages[at + 1];
  return { ...sweep.found, percent, next: following ? `${following.table}/` : null };
}

/** A step from `after` (`table/folder`, "" for the beginning), of about a second. */
function sweepOrphans(app: CoreApp, after: string, remove: boolean): CleanupStep {
  const found = { items: 0, bytes: 0 };
  const storages = storagesOf(app);
  const [table = "", folder = ""] = after.split("/");
  const at = table === "" ? 0 : storages.findIndex((storage) => storage.table === table);
  const storage = storages[at];
  if (app.settings().s3.enabled) return sweepBucket(app, storages, after, remove);
  if (!storage) return { ...found, percent: 100, next: null };
  const now = Date.now();
  const entries = entriesOf(storage.folder);
  let index = firstAfter(entries, folder);
  while (index < entries.length && Date.now() < now + STEP_MS) {
    const batch = entries.slice(index, index + BATCH);
    sweepBatch(app, storage, batch, { now, remove, found });
    index += batch.length;
  }
  const isDone = index >= entries.length;
  const share = isDone ? 1 : index / entries.length;
  const percent = Math.floor((100 * (at + share)) / storages.length);
  if (!isDone) {
    return { ...found, percent, next: `${storage.table}/${entries[index - 1]?.name()}` };
  }
  const following = storages[at + 1];
  return { ...found, percent, next: following ? `${following.table}/` : null };
}
