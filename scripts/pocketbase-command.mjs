/**
 * Runs one of our own commands inside PocketBase (`scripts/pocketbase-commands`): they work on the data folder whether the server runs
 * or not, and answer with one line of JSON.
 */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "./paths.mjs";
import { findPocketBase } from "./pocketbase.mjs";
import { UserError } from "./user-error.mjs";

/** @typedef {{ outcome: string, username?: string, reason?: string, rows?: number, token?: string }} Outcome */

/**
 * @param {string} dataDir
 * @param {string[]} command the command's name and its arguments
 * @returns {Promise<Outcome>}
 */
export async function runPocketBaseCommand(dataDir, command) {
  await access(path.join(dataDir, "data.db")).catch(() => {
    throw new UserError(
      `There is no database in ${dataDir}: run npm start once, and sign up there.`,
    );
  });
  const { path: binary } = await findPocketBase();
  const { stdout, stderr } = await promisify(execFile)(binary, [
    ...command,
    `--dir=${dataDir}`,
    `--hooksDir=${inRoot("scripts/pocketbase-commands")}`,
    `--migrationsDir=${inRoot("scripts/pocketbase-commands/no-migrations")}`,
    "--dev=false",
    "--hooksWatch=false",
    "--automigrate=false",
  ]);
  const line = /augenblick:(\{.*\})/.exec(stdout + stderr)?.[1];
  if (line === undefined) throw new UserError(`PocketBase did not answer:\n${stdout}${stderr}`);
  return JSON.parse(line);
}
