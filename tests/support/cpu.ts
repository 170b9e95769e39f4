import { readFileSync } from "node:fs";

/** Linux counts a process's time in these. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that the process has used, all its threads together. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name, in parentheses, and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Seconds of CPU that the process uses while `work` runs. */
export async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuSeconds(pid);
  await work();
  return cpuSeconds(pid) - before;
}
