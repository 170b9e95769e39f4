/**
 * Checksums in a worker: Chromium computes a digest in the thread that asks for it, which costs a
 * page half a frame for each piece on a fast machine. The worker ends when it is idle.
 */
import { checksumOf } from "@/lib/checksum";
import { ownScript } from "@/lib/own-script";
import workerAddress from "./checksum-worker?worker&url";

const IDLE_MS = 5_000;

let worker: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
/** What to do for each piece that is being worked at, should the worker fail. */
const waiting = new Set<() => void>();

export function checksumInWorker(piece: Blob): Promise<string> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const answer = (checksum: string | Promise<string>) => {
      port1.close();
      waiting.delete(giveUp);
      if (waiting.size === 0) idle = setTimeout(stop, IDLE_MS);
      resolve(checksum);
    };
    const giveUp = () => answer(checksumOf(piece));
    waiting.add(giveUp);
    port1.onmessage = ({ data }: MessageEvent<string>) => answer(data);
    startWorker().postMessage(piece, [port2]);
  });
}

function startWorker(): Worker {
  clearTimeout(idle);
  if (worker !== null) return worker;
  worker = new Worker(ownScript(workerAddress), { type: "module" });
  worker.onerror = () => {
    stop();
    // Most likely its file did not come: the page does it itself.
    for (const giveUp of [...waiting]) giveUp();
  };
  return worker;
}

function stop(): void {
  clearTimeout(idle);
  worker?.terminate();
  worker = null;
}
