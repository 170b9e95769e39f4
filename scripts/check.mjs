/**
 * `npm run check`: types of client, tests, scripts, worker and hooks; format, lint and import
 * boundaries; unused code; slips and long comments; texts; the size of what is shipped. Runs
 * everything, then fails if anything failed.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { buildApp, buildHooks } from "./build.mjs";
import {
  CACHE_DIR,
  ensureInstalled,
  messageOf,
  runCommand,
  runNode,
  say,
  UserError,
} from "./checkout.mjs";
import { findPocketBase, pocketBaseFlags } from "./pocketbase.mjs";
import { checkRooms } from "./rooms.mjs";
import { checkSizes } from "./size-budget.mjs";
import { checkTexts } from "./texts.mjs";

/** @param {string} file a program of a package @param {string[]} args */
const tool = (file, ...args) => runNode(`node_modules/${file}`, args);
const types = (/** @type {string} */ project) =>
  tool("typescript/bin/tsc", "--noEmit", "-p", project);

/**
 * PocketBase writes the types of its hook API into its data folder when it starts. Copies them, so
 * that the hooks are checked against the binary that runs them.
 */
async function copyHookTypes() {
  const { path: binary } = await findPocketBase();
  const publicDir = await mkdtemp(path.join(tmpdir(), "augenblick-types-"));
  const [dataDir, hooksDir] = [path.join(publicDir, "pb_data"), path.join(publicDir, "pb_hooks")];
  const migrationsDir = path.join(publicDir, "pb_migrations");
  try {
    const flags = pocketBaseFlags({ dataDir, hooksDir, migrationsDir, publicDir });
    await promisify(execFile)(binary, ["migrate", "history-sync", ...flags]);
    await mkdir(path.join(CACHE_DIR, "pocketbase"), { recursive: true });
    const kept = path.join(CACHE_DIR, "pocketbase/types.d.ts");
    await copyFile(path.join(dataDir, "types.d.ts"), kept);
  } finally {
    await rm(publicDir, { recursive: true, force: true });
  }
}

/** @param {string[]} faults */
function tell(faults) {
  for (const fault of faults) say(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

async function sizes() {
  await buildApp();
  const { entry, gallery, aside, faults } = await checkSizes();
  const kb = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  say(`  entry ${kb(entry)}, gallery ${kb(gallery)} (gzip), put aside ${kb(aside)} (Brotli)`);
  return tell(faults);
}

async function hookTypes() {
  await copyHookTypes();
  await buildHooks();
  return types("pb_hooks/tsconfig.json");
}

/** @type {Record<string, () => Promise<number>>} */
const STEPS = {
  "types: client, tests, scripts": () => types("tsconfig.json"),
  "types: service worker": () => types("src/sw/tsconfig.json"),
  "types: server hooks": hookTypes,
  "format, lint, import boundaries": () =>
    tool("@biomejs/biome/bin/biome", "ci", "--error-on-warnings"),
  "unused code and dependencies": () => tool("knip/bin/knip.js"),
  "slips and long comments": async () => tell(await checkRooms()),
  "texts: catalogues, components": async () => tell(await checkTexts()),
  "size budget": sizes,
};

const USAGE =
  "npm run check   types, format, lint, unused code, long comments, the size of what is shipped";

await runCommand(USAGE, async () => {
  await ensureInstalled(say);
  const failed = [];
  for (const [name, run] of Object.entries(STEPS)) {
    say(`${name} …`);
    const code = await run().catch((/** @type {unknown} */ error) => {
      say(messageOf(error));
      return 1;
    });
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new UserError(`npm run check failed: ${failed.join("; ")}.`);
  say("Everything checks.");
});
