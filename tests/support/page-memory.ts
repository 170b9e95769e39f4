/** What a page holds, from the browser and from the system. Linux alone. */
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";

export interface PageMemory {
  /** Megabytes. */
  process: number;
  heap: number;
  nodes: number;
  listeners: number;
}

/**
 * Megabytes of the page: its scripts' heap after everything was collected, and its process once the browser gave back what it keeps
 * for as long as there is room, such as decoded pictures.
 */
export async function memoryOf(page: Page, folder: string): Promise<PageMemory> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Memory.simulatePressureNotification", { level: "critical" });
  for (let i = 0; i < 3; i++) await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
  await devtools.detach();
  const processes = renderersOf(folder).map(residentOf);
  return {
    process: Math.max(...processes),
    heap: usedSize / 1e6,
    nodes,
    listeners: jsEventListeners,
  };
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
