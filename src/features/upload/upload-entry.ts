/** A chosen file: ready -> preparing -> uploading -> uploaded | queued | failed. Pure. */
import type { PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";
import type { QueuedUpload, UploadOutcome } from "@/state/upload";

export type EntryPhase =
  | { state: "checking" }
  | { state: "ready" }
  /** Found on the first check; only a photo that is too large can be fixed. */
  | { state: "unfit"; code: ErrorCode }
  | { state: "shrinking" }
  | { state: "preparing" }
  | { state: "uploading"; progress: number }
  | { state: "uploaded" }
  | { state: "queued" }
  | { state: "failed"; code: ErrorCode; message: string };

export interface UploadEntry {
  id: number;
  file: File;
  preview: string;
  size: number;
  phase: EntryPhase;
  shrunk: PreparedMedia | null;
  queued: QueuedUpload | null;
}

export const MOST_FILES = 60;

export const isBusy = (entry: UploadEntry): boolean =>
  ["preparing", "uploading", "shrinking"].includes(entry.phase.state);

/** Sent by the next click: ready files, and those that failed. */
export const isSendable = (entry: UploadEntry): boolean =>
  entry.phase.state === "ready" || entry.phase.state === "failed";

/** Share of the remaining way that a simulated tick adds: fast at first, never reaching the end. */
const TICK_SHARE = 0.03;

/** The bar without a real figure (specification §4: ticks up to 90). */
export function tick(entry: UploadEntry): UploadEntry {
  if (entry.phase.state !== "uploading") return entry;
  const { progress } = entry.phase;
  const next = progress + (UPLOAD_PROGRESS_CAP - progress) * TICK_SHARE;
  return { ...entry, phase: { state: "uploading", progress: Math.max(progress, next) } };
}

/** Progress from the queue: never backwards, and never past 90 before the server's answer. */
export function withFate(entry: UploadEntry, fate: UploadOutcome): UploadEntry {
  switch (fate.state) {
    case "uploaded":
      return { ...entry, phase: { state: "uploaded" } };
    case "waiting":
      return { ...entry, phase: { state: "queued" } };
    case "refused":
      return { ...entry, phase: { state: "failed", code: fate.code, message: fate.message } };
    case "sending": {
      const before = entry.phase.state === "uploading" ? entry.phase.progress : 0;
      const real = Math.min(UPLOAD_PROGRESS_CAP, fate.progress);
      return { ...entry, phase: { state: "uploading", progress: Math.max(before, real) } };
    }
  }
}

export function tally(entries: readonly UploadEntry[]) {
  const count = (...states: EntryPhase["state"][]) =>
    entries.filter((entry) => states.includes(entry.phase.state)).length;
  return {
    total: entries.length,
    uploaded: count("uploaded"),
    queued: count("queued"),
    failed: count("failed", "unfit"),
    busy: entries.filter(isBusy).length,
  };
}
