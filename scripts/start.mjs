/**
 * `npm start`: from a fresh checkout to a running server. Installs what is missing, builds what is
 * stale, finds PocketBase, applies migrations, serves everything on one port, and starts a server
 * that died again. Standard output has the address (and the link that makes the first superuser of
 * an empty database); everything else goes to standard error.
 */
import {
  DIST_DIR,
  ensureInstalled,
  note,
  runCommand,
  runNode,
  say,
  UserError,
} from "./checkout.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { keepServing, requireUsableSettings } from "./server.mjs";

/** Ctrl-C before the server runs ends the whole process at once, without an error. */
function endEarly() {
  process.exit(0);
}

await runCommand(async () => {
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);
  for (const signal of signals) process.on(signal, endEarly);
  if (process.env["POCKETBASE_BIN"]) await findPocketBase();
  const settings = await requireUsableSettings();
  await ensureInstalled();
  if ((await runNode("scripts/build.mjs", [], { stdoutTo: "stderr" })) !== 0)
    throw new UserError("The app was not built, so it was not started.");
  const { path: binary, source } = await findPocketBase();
  const version = await pocketBaseVersion(binary);
  note(`PocketBase ${version} (${binary}, from ${source}), data in ${settings.dataDir}`);

  const ending = new AbortController();
  const options = { binary, settings, publicDir: DIST_DIR, signal: ending.signal };
  await keepServing(options, (serving) => {
    for (const signal of signals) {
      process.off(signal, endEarly);
      process.on(signal, () => ending.abort());
    }
    say(`${process.env["APP_NAME"] || "Augenblick"} is running at ${settings.url}`);
    void serving.installer.then((link) => say(`Create the first superuser: ${link}`));
  });
});
