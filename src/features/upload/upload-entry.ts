/**
 * A chosen file: checking [-> converting] -> ready -> preparing -> uploading -> uploaded | queued |
 * failed. Pure.
 */
import type { PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";
import type { ConvertiblePicture } from "@/domain/media-files";
import { canShrinkPicture, type VideoOffer } from "@/domain/what-fits";
import type { QueuedUpload, UploadOutcome } from "@/state/upload";
import { withMoved } from "./use-reorder";

export type EntryPhase =
  | { state: "checking" }
  /** Into a JPEG, before it can be sent. */
  | { state: "converting" }
  | { state: "ready" }
  /** Found on the first check; only what is too large can be fixed. */
  | { state: "unfit"; code: ErrorCode; video?: VideoOffer }
  /** `progress` in percent, where it takes long enough to be told. */
  | { state: "shrinking"; progress?: number }
  | { state: "preparing" }
  | { state: "uploading"; progress: number }
  | { state: "uploaded" }
  | { state: "queued" }
  | { state: "failed"; code: ErrorCode; message: string };

export interface UploadEntry {
  id: number;
  file: File;
  /** The address of a small picture or of the video; "" for none, null while it is not known. */
  preview: string | null;
  size: number;
  phase: EntryPhase;
  /** Made ready before the upload, because it was converted or shrunk. */
  prepared: PreparedMedia | null;
  /** What it was converted from. */
  converted: ConvertiblePicture | null;
  /** A video that many browsers cannot show, this one or others. */
  rarelyPlays: boolean;
  /** What of it will be missing. */
  missing: "upload.cutShort" | "upload.firstPicture" | null;
  queued: QueuedUpload | null;
  /** Where the next form finds it (media-cache/inbox.ts), or null. */
  inbox: string | null;
  /** Its own texts where each file has some; null while nobody has written any. */
  caption: string | null;
  tags: string | null;
  /** What is to be seen, as its owner writes it before the upload. */
  alt: string;
}

/** Caption and tags for all files together; with `each` they are what a file's own begin with. */
export interface CommonTexts {
  caption: string;
  tags: string;
  each: boolean;
}

/** What is said of one file. */
export const textsOf = (entry: UploadEntry, { caption, tags, each }: CommonTexts) => ({
  caption: each ? (entry.caption ?? caption) : caption,
  tags: each ? (entry.tags ?? tags) : tags,
  alt: entry.alt,
});

export const MOST_FILES = 60;

export const isBusy = (entry: UploadEntry): boolean =>
  ["preparing", "uploading", "shrinking"].includes(entry.phase.state);

/** Sent by the next click: ready files, and those that failed. */
export const isSendable = (entry: UploadEntry): boolean =>
  entry.phase.state === "ready" || entry.phase.state === "failed";

/** A smaller copy of the picture would fit. */
export const isShrinkable = ({ phase }: UploadEntry): boolean =>
  phase.state === "unfit" && canShrinkPicture(phase.code);

/** The shorter side, in pixels, that a too large video can be made smaller to; or null. */
export function videoEdge({ phase }: UploadEntry): number | null {
  if (phase.state !== "unfit" || phase.code !== "video_too_large") return null;
  const way = phase.video?.way;
  return typeof way === "object" ? way.edge : null;
}

/**
 * Can be described: it is sent with what is written now. A row of the queue has its texts. Also
 * while it is looked at, so that what stands below does not move from under a finger then.
 */
export const isDescribed = ({ phase, queued }: UploadEntry): boolean =>
  ["checking", "converting", "shrinking", "ready"].includes(phase.state) ||
  (phase.state === "failed" && queued === null);

/** Not known yet whether it can be sent: an upload waits for it. */
export const isUndecided = (entry: UploadEntry): boolean =>
  ["checking", "converting", "shrinking"].includes(entry.phase.state);

/** The entries with one of them at another place. Places begin with 0. */
export const withEntryAt = (entries: readonly UploadEntry[], id: number, to: number) =>
  withMoved(
    entries,
    entries.findIndex((entry) => entry.id === id),
    to,
  );

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
    busy: entries.filter((entry) => isBusy(entry) || isUndecided(entry)).length,
  };
}
