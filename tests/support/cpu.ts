import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

/** Linux counts a process's time in these. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that the process has used, all its threads together. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name, in parentheses, and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** A start of Node, and sixty thousand words made, sorted, written and read. Prints its seconds. */
const YARDSTICK = `let x = 1;
const words = Array.from({ length: 60_000 }, () => "w" + (x = (x * 1103515245 + 12345) & 0x7fffffff));
new Map(JSON.parse(JSON.stringify(words.sort())).map((word, i) => [word, i]));
const { user, system } = process.cpuUsage();
console.log((user + system) / 1e6);`;
/** What it takes where the tests' limits were written. */
const USUAL_SECONDS = 0.12;

/** Others share the cores, so that a machine is slower at one moment than at the next. */
const GOOD_FOR_MS = 1_000;
let measured = { slower: 1, until: 0 };

/** How many times slower this machine is now than that one; 1 where it is faster. */
async function slowness(): Promise<number> {
  if (performance.now() < measured.until) return measured.slower;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", YARDSTICK]);
  const slower = Math.max(1, Number(stdout) / USUAL_SECONDS);
  measured = { slower, until: performance.now() + GOOD_FOR_MS };
  return slower;
}

/**
 * Seconds of CPU that the process uses while `work` runs, as the machine would take for which the
 * tests' limits are written: a slower one is measured, and gets more.
 */
export async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const slower = await slowness();
  const before = cpuSeconds(pid);
  await work();
  return (cpuSeconds(pid) - before) / slower;
}
