/** A second and third device beside the first, each in a thread with a copy of the client of its own. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import type { Orders } from "./device-thread";

export interface FarDevice {
  ask<Name extends keyof Orders>(
    name: Name,
    ...args: Parameters<Orders[Name]>
  ): Promise<Awaited<ReturnType<Orders[Name]>>>;
  end(): Promise<void>;
}

/** Builds the thread's program; `folder` must lie in the repository, so that its packages are found. */
export async function buildDeviceThread(folder: string): Promise<string> {
  const outfile = path.join(folder, "device-thread.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "device-thread.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
    // The fixtures are found beside their module.
    define: { "import.meta.url": JSON.stringify(mediaFixturesUrl()) },
  });
  return outfile;
}

const mediaFixturesUrl = (): string =>
  new URL("../../support/media-fixtures.ts", import.meta.url).href;

export const removeDeviceThread = (file: string): Promise<void> => rm(file, { force: true });

export function startFarDevice(program: string, baseUrl: string): FarDevice {
  const worker = new Worker(program, { workerData: { baseUrl } });
  const waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (e: Error) => void }
  >();
  let asked = 0;
  worker.on("message", ({ id, value, error }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value as never);
    else call?.reject(new Error(error));
  });
  worker.on("error", (error) => {
    for (const call of waiting.values()) call.reject(error as Error);
  });
  return {
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        worker.postMessage({ id: asked, name, args });
      }),
    async end() {
      await worker.terminate();
    },
  };
}
