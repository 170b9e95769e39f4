/** What a page holds, from the browser and from the system. Linux alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { findChromium } from "@scripts/browsers.mjs";
import type { Page } from "playwright-core";
import { CHROMIUM_FLAGS } from "./browser";

/** A browser of its own, to which a driver may come and from which it may go. */
export interface Chromium {
  /** Where `connectOverCDP` finds it. */
  url: string;
  /** Its profile. */
  folder: string;
  stop: () => Promise<void>;
}

export async function startChromium(
  folder: string,
  window: { width: number; height: number },
): Promise<Chromium> {
  const program = spawn(
    await findChromium(),
    [
      ...CHROMIUM_FLAGS,
      "--headless=new",
      `--user-data-dir=${folder}`,
      `--window-size=${window.width},${window.height}`,
      "--remote-debugging-port=0",
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } },
  );
  return { url: await addressOf(program), folder, stop: () => stop(program) };
}

async function addressOf(program: ChildProcess): Promise<string> {
  let said = "";
  for await (const piece of program.stderr ?? []) {
    said += String(piece);
    const [, url] = /DevTools listening on (\S+)/.exec(said) ?? [];
    if (url === undefined) continue;
    return url;
  }
  throw new Error(`Chromium ended: ${said}`);
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return;
  program.kill();
  await once(program, "exit");
}

export interface PageMemory {
  /** Megabytes. */
  process: number;
  heap: number;
  nodes: number;
  listeners: number;
}

/**
 * Its scripts' heap after everything was collected. What the browser keeps for as long as there is
 * room, such as decoded pictures, is given back.
 */
export async function pageMemory(page: Page): Promise<Omit<PageMemory, "process">> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Memory.simulatePressureNotification", { level: "critical" });
  for (let i = 0; i < 3; i++) await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
  await devtools.detach();
  return { heap: usedSize / 1e6, nodes, listeners: jsEventListeners };
}

/** Megabytes that the largest of the processes with a page holds by itself, once it is at rest. */
export async function residentMemory(folder: string): Promise<number> {
  const now = () => Math.max(...renderersOf(folder).map(residentOf));
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const megabytes = now();
    if (megabytes > before - 1) return megabytes;
    before = megabytes;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** What a process alone holds, megabytes; 0 where it has ended. */
function residentOf(pid: string): number {
  try {
    const sums = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    const [, dirty] = /Private_Dirty:\s+(\d+)/.exec(sums) ?? [];
    return Number(dirty ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Processes with a page in them, of the browser with that profile. */
function renderersOf(folder: string): string[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1");
    } catch {
      return "";
    }
  };
  const family = (pid: string): string => {
    const parent = /PPid:\s+(\d+)/.exec(read(pid, "status"))?.[1] ?? "0";
    return read(pid, "cmdline") + (Number(parent) > 1 ? family(parent) : "");
  };
  return readdirSync("/proc").filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      read(pid, "cmdline").includes("--type=renderer") &&
      family(pid).includes(folder),
  );
}
