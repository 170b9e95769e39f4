/**
 * `npm run admin -- <email>`: makes the account with that address an administrator. Works on the data folder, so it does not matter
 * whether the server runs.
 */
import { ensureInstalled } from "./install.mjs";
import { runPocketBaseCommand } from "./pocketbase-command.mjs";
import { readServerSettings } from "./server-settings.mjs";
import { runCommand, UserError } from "./user-error.mjs";

async function main() {
  const email = (process.argv[2] ?? "").trim();
  if (!email.includes("@") || process.argv.length > 3) {
    throw new UserError("Say whose account it is: npm run admin -- <email>");
  }
  await ensureInstalled((line) => process.stderr.write(`${line}\n`));
  const { dataDir } = readServerSettings(process.env);
  const promote = ["promote", email.toLowerCase()];
  const { outcome, username, reason } = await runPocketBaseCommand(dataDir, promote);
  if (outcome === "unknown") throw new UserError(`No account has the e-mail address ${email}.`);
  if (outcome === "failed") throw new UserError(`The account was not changed: ${reason}`);
  const said = outcome === "already" ? "is an administrator already" : "is an administrator now";
  process.stdout.write(`${username} ${said}.\n`);
}

await runCommand(main);
