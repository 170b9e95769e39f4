/**
 * This checkout and its programs: where files are, the packages that it needs, how a script runs
 * another program, and how it ends with a sentence instead of a stack. Uses nothing but Node,
 * because it runs before `npm ci`.
 */
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** @param {string} relative a path inside the repository */
export const inRoot = (relative) => path.join(ROOT, relative);

export const CACHE_DIR = inRoot(".cache");
export const DIST_DIR = inRoot("dist");
export const HOOKS_DIR = inRoot("pb_hooks");

let isJson = false;

/** From here on each line is a JSON object with `time` and `message`, for what gathers logs. */
export function speakJson() {
  isJson = true;
}

/**
 * A line without what belongs to a person: tokens, queries of addresses, and addresses of mail and
 * of machines other than this one.
 * @param {string} line
 */
export const withoutPeople = (line) =>
  line
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "[token]")
    .replace(/\?[\w.-]+=\S*/g, "?[query]")
    .replace(/[^\s<>"'(=,;:]+@[^\s<>"'),;:]+/g, "[address]")
    .replace(/\b(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}\b/g, "[address]")
    .replace(/(?<![\w:])(?:[\da-f]{1,4}:){2,7}(?::?[\da-f]{1,4})+(?![\w:])/gi, (found) =>
      /^\d\d:\d\d:\d\d$/.test(found) ? found : "[address]",
    );

/** @param {string} line */
const shown = (line) =>
  isJson ? JSON.stringify({ time: new Date().toISOString(), message: withoutPeople(line) }) : line;

export const say = (/** @type {string} */ line) => void process.stdout.write(`${shown(line)}\n`);
/** For what is not the result of a script: it goes to standard error. @param {string} line */
export const note = (line) => void process.stderr.write(`${shown(line)}\n`);

/** A problem that the user can solve: shown as one sentence, without a stack, with exit code 1. */
export class UserError extends Error {
  /** @override */
  name = "UserError";
}

/**
 * What a script takes beside `--help`.
 * @typedef {{ options?: Record<string, { type: "string" | "boolean" }>, positionals?: boolean }}
 *   Takes
 * @typedef {{ values: Record<string, string | boolean | undefined>, positionals: string[] }} Given
 */

/**
 * Null after `--help`, which is answered. Whatever else a script does not know is refused, before
 * it does anything.
 * @param {string} usage @param {Takes} takes @returns {Given | null}
 */
function readArguments(usage, { options = {}, positionals: allowPositionals = false }) {
  const help = { type: /** @type {const} */ ("boolean"), short: "h" };
  try {
    const given = parseArgs({ options: { ...options, help }, allowPositionals });
    const values = /** @type {Given["values"]} */ ({ ...given.values });
    if (!values["help"]) return { values, positionals: given.positionals };
    say(usage);
    return null;
  } catch (error) {
    const [sentence] = messageOf(error).split(". ");
    throw new UserError(`${sentence}.\n\n${usage}`);
  }
}

/**
 * Runs a script. A UserError is printed as its sentence; any other error is a bug and keeps its
 * stack.
 * @param {string} usage how it is called and what it does
 * @param {(given: Given) => Promise<unknown>} main
 * @param {Takes} [takes]
 */
export async function runCommand(usage, main, takes = {}) {
  try {
    const given = readArguments(usage, takes);
    if (given !== null) await main(given);
  } catch (error) {
    const isBug = error instanceof Error && !(error instanceof UserError);
    note(String(isBug ? error.stack : messageOf(error)));
    process.exitCode = 1;
  }
}

/**
 * Aborts with a UserError at the first Ctrl-C, so that a script puts right what it must before it
 * ends. The next one ends it at once.
 */
export function stopSignal() {
  const controller = new AbortController();
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);
  const stop = () => {
    for (const signal of signals) process.off(signal, stop);
    note("Stopping …");
    controller.abort(new UserError("Stopped. Run it again."));
  };
  for (const signal of signals) process.on(signal, stop);
  return controller.signal;
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Whether a module is what Node was started with. @param {string} url its `import.meta.url` */
export const isMain = (url) => url === pathToFileURL(process.argv[1] ?? "").href;

/** @param {string} file */
export const isExecutable = (file) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Runs a program in this terminal and waits until it ends.
 * @param {string} program @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, stdoutTo?: "stderr", onLine?: (line: string) => void }}
 *   [options] `stdoutTo` sends its output to our stderr; `onLine` also receives each line of it
 * @returns {Promise<number>} its exit code; 1 if a signal ended it or it could not be started
 */
export function runProgram(program, args, { env = process.env, stdoutTo, onLine } = {}) {
  const out = onLine ? "pipe" : stdoutTo === "stderr" ? 2 : "inherit";
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ["inherit", out, "inherit"] });
    if (onLine && child.stdout) {
      child.stdout.pipe(process.stdout, { end: false });
      createInterface({ input: child.stdout }).on("line", onLine);
    }
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a file with this Node.
 * @param {string} file @param {string[]} args @param {{ stdoutTo?: "stderr" }} [options]
 */
export const runNode = (file, args = [], options = {}) =>
  runProgram(process.execPath, [inRoot(file), ...args], options);

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }}
 *   LockedPackage
 */

/**
 * Whether everything in `wanted` is installed. Optional packages for other platforms are not.
 * @param {Record<string, LockedPackage>} wanted @param {Record<string, LockedPackage>} present
 */
export function isInstalled(wanted, present) {
  return Object.entries(wanted).every(([name, locked]) => {
    if (name === "") return true;
    const found = present[name];
    if (found === undefined) return locked.optional === true || locked.devOptional === true;
    return found.version === locked.version && found.integrity === locked.integrity;
  });
}

/**
 * Runs `npm ci` if `node_modules` differs from the lock file. Compares it with the record that npm
 * leaves there, so that an installation made by hand counts too.
 * @param {(line: string) => void} tell
 */
export async function ensureInstalled(tell = note) {
  const packages = async (/** @type {string} */ file) => {
    const text = await readFile(inRoot(file), "utf8").catch(() => null);
    return text === null ? null : JSON.parse(text).packages;
  };
  const wanted = await packages("package-lock.json");
  if (wanted === null)
    throw new UserError("package-lock.json is missing: this is not a whole checkout.");
  const present = await packages("node_modules/.package-lock.json");
  if (present !== null && isInstalled(wanted, present)) return;
  tell("Installing packages (npm ci) …");
  const npm = process.env["npm_execpath"];
  const [program, ...first] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
  const args = [...first, "ci", "--no-audit", "--no-fund"];
  if ((await runProgram(program, args, { stdoutTo: "stderr" })) !== 0)
    throw new UserError("npm ci failed; its reason stands above.");
}
