/**
 * `npm run admin -- <email>`: makes the account with that address an administrator. Works on the data folder, so it does not matter
 * whether the server runs.
 */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { findPocketBase } from "./pocketbase.mjs";
import { readServerSettings } from "./server-settings.mjs";
import { runCommand, UserError } from "./user-error.mjs";

/** @typedef {{ outcome: "unknown" | "already" | "promoted" | "failed", username?: string, reason?: string }} Outcome */

/**
 * @param {string} dataDir
 * @param {string} email
 * @returns {Promise<Outcome>}
 */
async function promote(dataDir, email) {
  const { path: binary } = await findPocketBase();
  const { stdout, stderr } = await promisify(execFile)(binary, [
    "promote",
    email,
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

async function main() {
  const email = (process.argv[2] ?? "").trim();
  if (!email.includes("@") || process.argv.length > 3) {
    throw new UserError("Say whose account it is: npm run admin -- <email>");
  }
  await ensureInstalled((line) => process.stderr.write(`${line}\n`));
  const { dataDir } = readServerSettings(process.env);
  await access(path.join(dataDir, "data.db")).catch(() => {
    throw new UserError(
      `There is no database in ${dataDir}: run npm start once, and sign up there.`,
    );
  });
  const { outcome, username, reason } = await promote(dataDir, email.toLowerCase());
  if (outcome === "unknown") throw new UserError(`No account has the e-mail address ${email}.`);
  if (outcome === "failed") throw new UserError(`The account was not changed: ${reason}`);
  const said = outcome === "already" ? "is an administrator already" : "is an administrator now";
  process.stdout.write(`${username} ${said}.\n`);
}

await runCommand(main);
