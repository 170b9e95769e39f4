/**
 * `npm start`: from a fresh checkout to a running server. Installs what is missing, builds what is stale, finds PocketBase, applies
 * migrations and serves everything on one port. Standard output carries the address (and the link that makes the first
 * superuser of an empty database); everything else goes to standard error. Uses nothing but Node until packages are there.
 */
import { ensureInstalled } from "./install.mjs";
import { DIST_DIR, inRoot } from "./paths.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { runProgram } from "./run-program.mjs";
import { serve } from "./serve.mjs";
import { readServerSettings, requireFreePort, requireWritableData } from "./server-settings.mjs";
import { runCommand, UserError } from "./user-error.mjs";

const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/** Ctrl-C before the server runs ends the whole process at once, and cleanly. */
function endEarly() {
  process.exit(0);
}

async function main() {
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);
  for (const signal of signals) process.on(signal, endEarly);
  const settings = readServerSettings(process.env);
  if (process.env["POCKETBASE_BIN"]) await findPocketBase();
  await requireFreePort(settings);
  await requireWritableData(settings);
  await ensureInstalled(note);
  const built = await runProgram(process.execPath, [inRoot("scripts/build.mjs")], {
    stdoutTo: "stderr",
  });
  if (built !== 0) throw new UserError("The app was not built, so it was not started.");
  const { path: binary, source } = await findPocketBase();
  note(
    `PocketBase ${await pocketBaseVersion(binary)} (${binary}, from ${source}), data in ${settings.dataDir}`,
  );

  const name = process.env["APP_NAME"] || "Augenblick";
  const serving = await serve({ binary, settings, publicDir: DIST_DIR });
  for (const signal of signals) {
    process.off(signal, endEarly);
    process.on(signal, () => void serving.stop());
  }
  print(`${name} is running at ${settings.url}`);
  serving.onInstaller((link) => print(`Create the first superuser: ${link}`));
  const code = await serving.ended;
  if (code !== 0) throw new UserError(`PocketBase ended by itself with code ${code}.`);
}

await runCommand(main);
