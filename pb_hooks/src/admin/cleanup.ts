/**
 * Cleaning up from the panel, in steps of about a second, so that it can show progress and stop
 * anywhere. GET counts what a step would remove, POST removes it. The request says where a step
 * begins; the server remembers nothing between two steps.
 */
import { countOldTombstones, pruneSomeTombstones } from "@hooks/feed/history";
import { answer, NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
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

/** The files of one collection. */
interface Storage {
  folder: string;
  table: string;
  fields: string[];
}

/** The collections with files, always in the same order. */
function storagesOf(app: CoreApp): Storage[] {
  const storages: Storage[] = [];
  for (const collection of app.findAllCollections()) {
    if (!collection || collection.isView()) continue;
    const fields: string[] = [];
    for (const field of collection.fields)
      if (field?.type() === "file") fields.push(field.getName());
    const folder = $filepath.join(app.dataDir(), "storage", collection.id);
    if (fields.length > 0) storages.push({ folder, table: collection.name, fields });
  }
  return storages.sort((a, b) => (a.table < b.table ? -1 : 1));
}

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
function namesByRow(app: CoreApp, storage: Storage, ids: string[]): Map<string, Set<string>> {
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

function sweepBatch(app: CoreApp, storage: Storage, batch: os.DirEntry[], sweep: Sweep): void {
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

/** A step from `after` (`table/folder`, "" for the beginning), of about a second. */
function sweepOrphans(app: CoreApp, after: string, remove: boolean): CleanupStep {
  const found = { items: 0, bytes: 0 };
  const storages = storagesOf(app);
  const [table = "", folder = ""] = after.split("/");
  const at = table === "" ? 0 : storages.findIndex((storage) => storage.table === table);
  const storage = storages[at];
  if (app.settings().s3.enabled || !storage) return { ...found, percent: 100, next: null };
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
