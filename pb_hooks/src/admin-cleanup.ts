/**
 * Cleaning up from the panel, in steps of about a second, so that it shows how far it is and may stop anywhere: GET counts
 * a step, POST removes it. Where a step begins is in the request; nothing is remembered between two of them.
 */
import { admitAdmin, queryOf } from "./admin-request";
import { writeAudit } from "./audit";
import { countTombstones, expiredUploads, orphanedPartials, pruneSomeTombstones } from "./cleanup";
import { sweepOrphans } from "./orphaned-files";
import { partialSize, removePartial } from "./partial-files";
import { answer, NOT_FOUND, refuse } from "./refuse";
import { refusalOf } from "./refused";

export interface CleanupStep {
  items: number;
  bytes: number;
  /** Of the whole way, after this step. */
  percent: number;
  /** The `after` of the next step; null at the end. */
  next: string | null;
}

type Task = (app: CoreApp, after: string, remove: boolean) => CleanupStep;

/** Rows first, by id, then the bytes that no row names. */
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

/** `after` counts what went already: the book of tombstones itself is the place to go on from. */
const sweepTombstones: Task = (app, after, remove) => {
  if (!remove) return { items: countTombstones(app), bytes: 0, percent: 100, next: null };
  const items = pruneSomeTombstones(app);
  const done = Number(after) + items;
  const left = countTombstones(app);
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

/** `GET /api/admin/cleanup/{task}?after=`: what a run would remove. */
export function previewCleanup(e: core.RequestEvent): void {
  if (!admitAdmin(e)) return;
  const task = taskOf(e);
  if (task) answer(e, 200, task.run(e.app, task.after, false));
}

/** `POST /api/admin/cleanup/{task}?after=`: removes, and writes down what. */
export function runCleanup(e: core.RequestEvent): void {
  if (!admitAdmin(e)) return;
  const task = taskOf(e);
  if (!task) return;
  const step = task.run(e.app, task.after, true);
  if (step.items > 0) {
    const details = { items: step.items, bytes: step.bytes };
    writeAudit(e.app, e, { action: "cleanup.run", target: task.name, details });
  }
  answer(e, 200, step);
}
