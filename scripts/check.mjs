/**
 * `npm run check`: types of client, tests, scripts, worker and hooks; format, lint and import boundaries; unused code; slips
 * and long comments; the size of what is shipped. Runs everything, then fails if anything failed.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
import { findPocketBase, pocketBaseFlags, pocketBaseVersion } from "./pocketbase.mjs";
import { checkRooms } from "./rooms.mjs";
import { checkSizes } from "./size-budget.mjs";

/** @param {string} file a program of a package @param {string[]} args */
const tool = (file, ...args) => runNode(`node_modules/${file}`, args);
const types = (/** @type {string} */ project) =>
  tool("typescript/bin/tsc", "--noEmit", "-p", project);

/**
 * PocketBase writes the types of its hook API into its data folder when it starts. Keeps a copy, so that the hooks are checked
 * against the binary that runs them.
 */
async function ensureHookTypes() {
  const cache = path.join(CACHE_DIR, "pocketbase");
  const [kept, stamp] = [path.join(cache, "types.d.ts"), path.join(cache, "types.version")];
  const { path: binary } = await findPocketBase();
  const version = await pocketBaseVersion(binary);
  const present = await readFile(kept).catch(() => null);
  if (present !== null && version === (await readFile(stamp, "utf8").catch(() => ""))) return;
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-types-"));
  try {
    const [dataDir, hooksDir] = [path.join(folder, "pb_data"), path.join(folder, "pb_hooks")];
    const migrationsDir = path.join(folder, "pb_migrations");
    const flags = pocketBaseFlags({ dataDir, hooksDir, migrationsDir, publicDir: folder });
    await promisify(execFile)(binary, ["migrate", "history-sync", ...flags]);
    await mkdir(cache, { recursive: true });
    await copyFile(path.join(dataDir, "types.d.ts"), kept);
    await writeFile(stamp, version);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} faults */
function tell(faults) {
  for (const fault of faults) say(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

async function sizes() {
  await buildApp();
  const { entry, gallery, faults } = await checkSizes();
  const kb = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  say(`  entry ${kb(entry)}, gallery ${kb(gallery)} (JavaScript, gzip)`);
  return tell(faults);
}

async function hookTypes() {
  await ensureHookTypes();
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
  "size budget": sizes,
};

await runCommand(async () => {
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
