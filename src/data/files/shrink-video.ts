/**
 * The page's side of the worker that makes videos smaller. Each question has a worker of its own,
 * so that all that was decoded goes with it, when it is done and when it is called off.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { failed, type Result } from "@/domain/result";
import type { ShrinkPlan } from "@/domain/what-fits";
import { ownScript } from "@/lib/own-script";
import shrinkerAddress from "./video-shrinker?worker&url";
import type { ShrinkerAnswer, ShrinkerRequest } from "./worker-tasks";

/** Who waits for a smaller video, which takes minutes. */
export interface ShrinkWatch {
  /** 0 to 100. */
  onProgress: (percent: number) => void;
  /** Calls it off: the answer is `canceled`. */
  signal: AbortSignal;
}

/**
 * What this device would make of it. Fails with `cannot_shrink`, or with `converter_missing` where
 * the worker's script is not on this device.
 */
export const planInWorker = (file: Blob): Promise<Result<ShrinkPlan>> =>
  ask({ task: "plan", file });

/** A file of its pictures and its sound alone, bit for bit. */
export const copyInWorker = (file: Blob): Promise<Result<Blob>> => ask({ task: "copy", file });

export const shrinkInWorker = (file: Blob, watch: ShrinkWatch): Promise<Result<Blob>> =>
  ask({ task: "shrink", file }, watch);

function ask<Value>(request: ShrinkerRequest, watch?: ShrinkWatch): Promise<Result<Value>> {
  const worker = new Worker(ownScript(shrinkerAddress), { type: "module" });
  return new Promise((resolve) => {
    let broken: ErrorCode = "converter_missing";
    const end = (result: Result<unknown>) => {
      worker.onmessage = null;
      worker.terminate();
      resolve(result as Result<Value>);
    };
    worker.onmessage = ({ data }: MessageEvent<ShrinkerAnswer>) => {
      broken = "cannot_shrink";
      if ("result" in data) end(data.result);
      else watch?.onProgress(data.progress);
    };
    worker.onerror = () => end(failed(broken));
    watch?.signal.addEventListener("abort", () => end(failed("canceled")), { once: true });
    worker.postMessage(request);
  });
}
