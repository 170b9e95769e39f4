/**
 * `npm run admin -- <email>`: makes the account with that address an administrator. Works on the
 * data folder, whether or not the server runs.
 */
import { ensureInstalled, runCommand, say, UserError } from "./checkout.mjs";
import { readServerSettings, runPocketBaseCommand } from "./server.mjs";

await runCommand(async () => {
  const email = (process.argv[2] ?? "").trim();
  if (!email.includes("@") || process.argv.length > 3)
    throw new UserError("Say whose account it is: npm run admin -- <email>");
  await ensureInstalled();
  const promote = ["promote", email.toLowerCase()];
  const { dataDir } = readServerSettings();
  const { outcome, username, reason } = await runPocketBaseCommand(dataDir, promote);
  if (outcome === "unknown") throw new UserError(`No account has the e-mail address ${email}.`);
  if (outcome === "failed") throw new UserError(`The account was not changed: ${reason}`);
  say(`${username} is an administrator ${outcome === "already" ? "already" : "now"}.`);
});
