/**
 * Installs what the lock file names, where `node_modules` holds something else. Compares the lock file with the record
 * that npm leaves in `node_modules`, so that an installation made by hand counts too.
 */
import { readFile } from "node:fs/promises";
import { inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { UserError } from "./user-error.mjs";

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/**
 * @param {string} file
 * @returns {Promise<LockedPackages | null>}
 */
async function readLock(file) {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : JSON.parse(text).packages;
}

/**
 * Whether everything that `wanted` names is there. Optional packages of other platforms are not.
 * @param {LockedPackages} wanted
 * @param {LockedPackages} present
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
 * Runs `npm ci` where needed.
 * @param {(line: string) => void} say
 */
export async function ensureInstalled(say) {
  const wanted = await readLock(inRoot("package-lock.json"));
  if (wanted === null)
    throw new UserError("package-lock.json is missing: this is not a whole checkout.");
  const present = await readLock(inRoot("node_modules/.package-lock.json"));
  if (present !== null && isInstalled(wanted, present)) return;
  say("Installing packages (npm ci) …");
  const npm = process.env["npm_execpath"];
  const args = ["ci", "--no-audit", "--no-fund"];
  const code = npm?.endsWith(".js")
    ? await runProgram(process.execPath, [npm, ...args], { stdoutTo: "stderr" })
    : await runProgram("npm", args, { stdoutTo: "stderr" });
  if (code !== 0) throw new UserError("npm ci failed; its reason stands above.");
}
