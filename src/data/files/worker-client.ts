/** The page's side of the file worker, which starts on demand and stops when idle. */
import type { ErrorCode } from "@/domain/error-codes";
import type { DetectedFile } from "@/domain/media-files";
import { failed, type Result } from "@/domain/result";

export interface Renditions {
  thumbnail: Blob | null;
  /** Null where the file itself is small enough for the feed. */
  preview: Blob | null;
  /** Base64, or "". */
  thumbhash: string;
  /** Why there is none, or null (specification §8, "Thumbnails"). */
  fault: Extract<ErrorCode, "image_load_failed" | "canvas_unavailable" | "thumbnail_failed"> | null;
}

export const noRenditions = (fault: NonNullable<Renditions["fault"]>): Renditions => ({
  thumbnail: null,
  preview: null,
  thumbhash: "",
  fault,
});

export interface CleanFile extends Renditions {
  file: Blob;
  detected: DetectedFile;
  /** Pixels as shown; 0 for videos. */
  width: number;
  height: number;
}

export type WorkerTask =
  /** Checks and strips a file, and draws a photo's renditions. `shrink`: re-encode it to fit. */
  | { task: "clean"; file: Blob; shrink: boolean }
  /** Draws the renditions of a video frame, then closes the frame. */
  | { task: "draw"; frame: ImageBitmap }
  | { task: "compress"; preview: Blob };
export type WorkerRequest = WorkerTask & { id: number };

export interface WorkerAnswer {
  id: number;
  result: Result<CleanFile | Renditions | Blob>;
}

export const cleanInWorker = (file: Blob, shrink: boolean): Promise<Result<CleanFile>> =>
  run<CleanFile>({ task: "clean", file, shrink });

/** The frame moves to the worker. */
export async function drawInWorker(frame: ImageBitmap): Promise<Renditions> {
  const drawn = await run<Renditions>({ task: "draw", frame }, [frame]);
  return drawn.success ? drawn.value : noRenditions("thumbnail_failed");
}

export async function compressInWorker(preview: Blob): Promise<Blob> {
  const compressed = await run<Blob>({ task: "compress", preview });
  return compressed.success ? compressed.value : preview;
}

/** Files often come in a row, but a decoder's memory should not be held for longer than this. */
const IDLE_MS = 5_000;

let worker: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
const waiting = new Map<number, (result: WorkerAnswer["result"]) => void>();

function run<Value>(task: WorkerTask, transfer: Transferable[] = []): Promise<Result<Value>> {
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, (result) => resolve(result as Result<Value>));
    startWorker().postMessage({ ...task, id } satisfies WorkerRequest, transfer);
  });
}

function startWorker(): Worker {
  clearTimeout(idle);
  if (worker) return worker;
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
    waiting.get(data.id)?.(data.result);
    waiting.delete(data.id);
    if (waiting.size === 0) idle = setTimeout(() => stop(started), IDLE_MS);
  };
  started.onerror = () => {
    stop(started);
    // Most likely a picture was too large for this device's memory.
    for (const answer of waiting.values()) answer(failed("image_load_failed"));
    waiting.clear();
  };
  worker = started;
  return started;
}

function stop(ended: Worker): void {
  ended.terminate();
  if (worker === ended) worker = null;
}
