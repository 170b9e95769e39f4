/** The page's side of the workers for files, which start on demand and stop when idle. */
import type { ErrorCode } from "@/domain/error-codes";
import { failed, type Result } from "@/domain/result";
import { ownScript } from "@/lib/own-script";
import converterAddress from "./converter?worker&url";
import workerAddress from "./worker?worker&url";
import {
  type CleanFile,
  type ConverterRequest,
  noRenditions,
  type PictureLook,
  type Renditions,
  type SeenVideo,
  type WorkerTask,
} from "./worker-tasks";

/** Most likely a picture was too large for this device's memory. */
const askWorker = workerAt<WorkerTask>(workerAddress, "image_load_failed");
/** Most likely its script is not on this device. */
const askConverter = workerAt<Omit<ConverterRequest, "id">>(converterAddress, "converter_missing");

export const cleanInWorker = (file: Blob, shrink: boolean) =>
  askWorker<CleanFile>({ task: "clean", file, shrink });

export const lookInWorker = (video: Blob) => askWorker<SeenVideo>({ task: "look", file: video });

export const judgeInWorker = (picture: Blob) => askWorker<PictureLook>({ task: "judge", picture });

/** The frame moves to the worker. */
export async function drawInWorker(frame: ImageBitmap): Promise<Renditions> {
  const drawn = await askWorker<Renditions>({ task: "draw", frame }, [frame]);
  return drawn.success ? drawn.value : noRenditions("thumbnail_failed");
}

export async function compressInWorker(preview: Blob): Promise<Blob> {
  const compressed = await askWorker<Blob>({ task: "compress", preview });
  return compressed.success ? compressed.value : preview;
}

export async function stripInWorker(video: Blob): Promise<Blob> {
  const stripped = await askWorker<Blob>({ task: "strip", video });
  return stripped.success ? stripped.value : video;
}

/** `file_broken` where this browser cannot draw it. */
export const reduceInWorker = (picture: Blob) => askWorker<Blob>({ task: "reduce", picture });

export const showInWorker = (picture: Blob) => askWorker<Blob>({ task: "show", picture });

/** A JPEG of a picture for which the browser has no decoder. */
export const convertInWorker = (request: Omit<ConverterRequest, "id">) =>
  askConverter<Blob>(request);

/** Files often come in a row, but a decoder's memory should not be held for longer than this. */
const IDLE_MS = 5_000;

/** Asks the worker at `address`. `broken`: the answer to everything that it dies with. */
function workerAt<Task extends object>(address: string, broken: ErrorCode) {
  let worker: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;
  const waiting = new Map<number, (result: Result<unknown>) => void>();

  function start(): Worker {
    clearTimeout(idle);
    if (worker) return worker;
    const started = new Worker(ownScript(address), { type: "module" });
    started.onmessage = ({ data }: MessageEvent<{ id: number; result: Result<unknown> }>) => {
      waiting.get(data.id)?.(data.result);
      waiting.delete(data.id);
      if (waiting.size === 0) idle = setTimeout(() => stop(started), IDLE_MS);
    };
    started.onerror = () => {
      stop(started);
      for (const answer of waiting.values()) answer(failed(broken));
      waiting.clear();
    };
    worker = started;
    return started;
  }

  function stop(ended: Worker): void {
    ended.terminate();
    if (worker === ended) worker = null;
  }

  return <Value>(task: Task, transfer: Transferable[] = []): Promise<Result<Value>> => {
    const id = ++lastId;
    return new Promise((resolve) => {
      waiting.set(id, (result) => resolve(result as Result<Value>));
      start().postMessage({ ...task, id }, transfer);
    });
  };
}
