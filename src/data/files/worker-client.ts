/** The page's side of the renditions worker. The worker starts with the first file and ends when there was nothing to do for a while. */
import type { ErrorCode } from "@/domain/error-codes";
import type { DetectedFile } from "@/domain/media-files";
import { failed, ok, type Result } from "@/domain/result";

type Waiting = (answer: WorkerAnswer | null) => void;

/** Many files come one after another; a decoder's memory is not kept for longer. */
const IDLE_MS = 5_000;

let worker: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Checks a file, takes its metadata out and, for a photo, makes its renditions. */
export async function cleanInWorker(file: Blob, shrink: boolean): Promise<Result<CleanFile>> {
  const answer = await ask((id) => ({ request: { id, task: "clean", file, shrink } }));
  if (answer?.answer === "clean") return ok(answer.clean);
  return failed(codeOf(answer));
}

/** Renditions of one frame of a video. The frame moves to the worker, which closes it. */
export async function drawInWorker(frame: ImageBitmap): Promise<Result<Renditions>> {
  const answer = await ask((id) => ({ request: { id, task: "draw", frame }, transfer: [frame] }));
  if (answer?.answer === "drawn") return ok(answer.renditions);
  return failed("thumbnail_failed");
}

/** A preview in fewer bytes; itself where that cannot be had. */
export async function compressInWorker(preview: Blob): Promise<Blob> {
  const answer = await ask((id) => ({ request: { id, task: "lighten", preview } }));
  return answer?.answer === "lightened" ? answer.preview : preview;
}

function codeOf(answer: WorkerAnswer | null): ErrorCode {
  // No answer: the worker itself died, most likely of a picture too large for this device's memory.
  return answer?.answer === "refused" ? answer.code : "image_load_failed";
}

function ask(
  make: (id: number) => { request: WorkerRequest; transfer?: Transferable[] },
): Promise<WorkerAnswer | null> {
  const id = ++lastId;
  const { request, transfer = [] } = make(id);
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    running().postMessage(request, transfer);
  });
}

function running(): Worker {
  clearTimeout(idle);
  if (worker) return worker;
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
    if (waiting.size === 0) idle = setTimeout(() => stop(started), IDLE_MS);
  };
  started.onerror = () => {
    stop(started);
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  };
  worker = started;
  return started;
}

function stop(ended: Worker): void {
  ended.terminate();
  if (worker === ended) worker = null;
}

/** What the page and the renditions worker say to each other. */

/** The pictures made from a picture. */
export interface Renditions {
  thumbnail: Blob | null;
  /** Null where the file itself is small enough to be shown in the feed. */
  preview: Blob | null;
  /** Base64, or "". */
  thumbhash: string;
  /** Why there is none, or null. */
  fault: RenditionFault | null;
}

/** Specification §8, "Thumbnails". */
export type RenditionFault = "image_load_failed" | "canvas_unavailable" | "thumbnail_failed";

export function noRenditions(fault: RenditionFault): Renditions {
  return { thumbnail: null, preview: null, thumbhash: "", fault };
}

export interface CleanFile extends Renditions {
  /** Checked, and without metadata. */
  file: Blob;
  detected: DetectedFile;
  /** Pixels as shown; 0 for videos. */
  width: number;
  height: number;
}

export type WorkerRequest =
  /** Check, strip, and for photos the renditions. `shrink`: re-encode a photo until it fits. */
  | { id: number; task: "clean"; file: Blob; shrink: boolean }
  /** Renditions of one frame, which the worker then closes. */
  | { id: number; task: "draw"; frame: ImageBitmap }
  /** The same preview in fewer bytes. */
  | { id: number; task: "lighten"; preview: Blob };

export type WorkerAnswer =
  | { id: number; answer: "clean"; clean: CleanFile }
  | { id: number; answer: "drawn"; renditions: Renditions }
  | { id: number; answer: "lightened"; preview: Blob }
  | { id: number; answer: "refused"; code: ErrorCode };
