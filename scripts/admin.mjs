/**
 * `npm run admin -- <email>`: makes the account with that address an administrator.
 * `npm run admin -- --no-codes`: asks nobody for codes by mail, for when those do not arrive. Both
 * work on the data folder, whether or not the server runs.
 */
import { ensureInstalled, runCommand, say, UserError } from "./checkout.mjs";
import { readServerSettings, runPocketBaseCommand } from "./server.mjs";

const USAGE = `npm run admin -- <email>      makes the account with that address an administrator
npm run admin -- --no-codes   asks nobody for codes by mail, for when those do not arrive
Both work on the data folder, whether or not the server runs.`;

/** @param {import("./checkout.mjs").Given} given */
async function main({ values, positionals }) {
  const isAboutCodes = values["no-codes"] === true;
  const [email = "", ...more] = positionals.map((word) => word.trim());
  if (more.length > 0 || (isAboutCodes ? email !== "" : !email.includes("@")))
    throw new UserError(`Say whose account it is.\n\n${USAGE}`);
  await ensureInstalled();
  const { dataDir } = readServerSettings();
  if (isAboutCodes) {
    const { outcome, reason } = await runPocketBaseCommand(dataDir, ["no-codes"]);
    if (outcome === "failed") throw new UserError(`The setting was not changed: ${reason}`);
    return say("No codes are asked for any more, at the latest in a minute.");
  }
  const promote = ["promote", email.toLowerCase()];
  const { outcome, username, reason } = await runPocketBaseCommand(dataDir, promote);
  if (outcome === "unknown") throw new UserError(`No account has the e-mail address ${email}.`);
  if (outcome === "failed") throw new UserError(`The account was not changed: ${reason}`);
  say(`${username} is an administrator ${outcome === "already" ? "already" : "now"}.`);
}

const takes = { options: { "no-codes": { type: /** @type {const} */ ("boolean") } } };
await runCommand(USAGE, main, { ...takes, positionals: true });
