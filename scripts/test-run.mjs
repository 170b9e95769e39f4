/**
 * One run of tests, benches or chaos, and what it must leave behind: nothing. All that a run starts
 * has its temporary folder inside the run's own, and a *keeper* beside it, a process of its own
 * session, waits for the run's end. However that comes (done, Ctrl-C, a signal, kill -9), the
 * keeper ends every process that has the folder in its environment or its arguments, and removes
 * the folder. Where there is no `/proc`, it removes the folder alone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isMain } from "./checkout.mjs";

const KEEPER = fileURLToPath(import.meta.url);
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM"]);

/** Longest wait for the keeper after a signal; it takes a moment. */
const END_MS = 60_000;

/**
 * Runs `main` as a run of its own. A signal ends this process with the exit code that a shell gives
 * for it. In either case nothing of the run is left then.
 * @template Value @param {() => Promise<Value>} main @returns {Promise<Value>}
 */
export async function inTestRun(main) {
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-"));
  // Some tests serve as a user without rights, who has to get through it.
  await chmod(folder, 0o711);
  // It belongs to the run that this one may be part of, and lies in its folder.
  const keeper = spawn(process.execPath, [KEEPER, folder], {
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const kept = once(keeper, "exit");
  // It hears from now on.
  await once(keeper.stdout, "data");
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    keeper.kill("SIGUSR2");
    // Without a turn of the event loop, in which `main` would start what comes next.
    const turn = new Int32Array(new SharedArrayBuffer(4));
    const isOver = () => !existsSync(folder) && hasEnded(keeper.pid ?? 0);
    for (let waited = 0; waited < END_MS && !isOver(); waited += 20) Atomics.wait(turn, 0, 0, 20);
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    return await main();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    keeper.stdin.end();
    await kept;
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Whether a process is gone or waits to be buried, told at once. @param {number} id */
function hasEnded(id) {
  try {
    return /\) [XZ] /.test(readFileSync(`/proc/${id}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** @param {string} file */
const read = (file) => readFile(file, "utf8").catch(() => "");

/** The ids of all processes; none where there is no `/proc`. */
const processIds = async () =>
  (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));

/**
 * A process as the system tells it, or null where it is gone. The name stands in brackets, and may
 * have blanks and brackets of its own; what is third in the manual's list is `fields[0]`.
 * @param {string | number} id
 */
async function statOf(id) {
  const [, name, rest] = (await read(`/proc/${id}/stat`)).match(/\((.*)\) (.*)$/s) ?? [];
  return name === undefined || rest === undefined ? null : { name, fields: rest.split(" ") };
}

/**
 * When a process began; null for one that has ended, even if nobody has buried it yet.
 * @param {number} id
 */
async function beginOf(id) {
  const { fields } = (await statOf(id)) ?? { fields: ["X"] };
  return /[XZ]/.test(fields[0] ?? "") ? null : (fields[19] ?? null);
}

/**
 * The other processes that have the folder in their environment or arguments.
 * @param {string} folder
 */
async function membersOf(folder) {
  const found = await Promise.all(
    (await processIds()).map(async (id) => {
      const texts = await Promise.all([read(`/proc/${id}/environ`), read(`/proc/${id}/cmdline`)]);
      return texts.some((text) => text.includes(folder)) ? Number(id) : process.pid;
    }),
  );
  return found.filter((id) => id !== process.pid);
}

/** @param {string} folder */
async function keep(folder) {
  // A terminal that closes, and whoever ends the run by its session, must not end this first.
  for (const signal of [...SIGNALS, /** @type {const} */ ("SIGHUP")])
    process.on(signal, () => undefined);
  const end = Promise.race([once(process.stdin, "close"), once(process, "SIGUSR2")]);
  process.stdin.resume();
  process.stdout.write("ready");
  await end;
  process.stdin.destroy();
  /** What was ended, with when it began. */
  const ended = new Map();
  /** It has no environment any more a moment before it is gone. */
  const isThere = async () => {
    const begins = await Promise.all([...ended.keys()].map(beginOf));
    return [...ended.values()].some((begin, i) => begin !== null && begin === begins[i]);
  };
  // A process that is being started while the others end is found the next time.
  let members = await membersOf(folder);
  while (members.length > 0 || (await isThere())) {
    for (const id of members) {
      ended.set(id, await beginOf(id));
      try {
        process.kill(id, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    members = await membersOf(folder);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A run beside others waits for its share; above this load the run says so. */
const BUSY_LOAD = 2;
const LOOK_MS = 500;
const BUSIEST = 4;

/** The processor time that each process has had, in clock ticks, with its program's name. */
async function processorTimes() {
  const times = await Promise.all(
    (await processIds()).map(async (id) => {
      const { name, fields } = (await statOf(id)) ?? { name: "", fields: [] };
      const ticks = Number(fields[11]) + Number(fields[12]);
      return /** @type {const} */ ([Number(id), { name, ticks }]);
    }),
  );
  return new Map(times.filter(([, { name }]) => name !== ""));
}

/**
 * A line that says with what the machine is busy before the run has begun; null where it is not.
 * @param {number[]} [loads] running processes, on average of the last minute first
 */
export async function busyLine([load = 0] = loadavg()) {
  if (load <= BUSY_LOAD) return null;
  const before = await processorTimes();
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const busiest = [...(await processorTimes())]
    .map(([id, { name, ticks }]) => ({ id, name, ticks: ticks - (before.get(id)?.ticks ?? ticks) }))
    .filter(({ id, ticks }) => id !== process.pid && ticks > 0)
    .sort((one, other) => other.ticks - one.ticks)
    .slice(0, BUSIEST)
    .map(({ id, name }) => `${name} (${id})`);
  const withWhat = busiest.join(", ") || "nothing at this moment";
  return `The machine is busy already, load ${load.toFixed(1)}, with ${withWhat}.`;
}

/**
 * Keeps as many cores busy as asked, as other programs on the machine would, until the run ends.
 * @param {number} count
 */
export function beBusy(count) {
  for (let begun = 0; begun < count; begun += 1)
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }).unref();
}

if (isMain(import.meta.url)) await keep(process.argv[2] ?? "");
