/**
 * `npm run check`: types of client, tests, scripts, worker and hooks; format, lint and import boundaries; unused code; the size
 * of what is shipped. Runs everything, then fails if anything failed.
 */
import { buildApp } from "./build.mjs";
import { buildHooks } from "./build-hooks.mjs";
import { ensureHookTypes } from "./hook-types.mjs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { checkSizes } from "./size-budget.mjs";
import { runCommand, UserError } from "./user-error.mjs";

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/**
 * A program of a package of ours.
 * @param {string} file inside node_modules
 * @param {string[]} args
 */
const tool = (file, ...args) =>
  runProgram(process.execPath, [inRoot(`node_modules/${file}`), ...args]);
const types = (/** @type {string} */ project) =>
  tool("typescript/bin/tsc", "--noEmit", "-p", project);

async function sizes() {
  await buildApp();
  const { entry, gallery, faults } = await checkSizes();
  const kb = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  say(`  entry ${kb(entry)}, gallery ${kb(gallery)} (JavaScript, gzip)`);
  for (const fault of faults) say(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

/** @type {[string, () => Promise<number>][]} */
const STEPS = [
  ["types: client, tests, scripts", () => types("tsconfig.json")],
  ["types: service worker", () => types("src/sw/tsconfig.json")],
  [
    "types: server hooks",
    async () => {
      await ensureHookTypes();
      await buildHooks();
      return types("pb_hooks/tsconfig.json");
    },
  ],
  [
    "format, lint, import boundaries",
    () => tool("@biomejs/biome/bin/biome", "ci", "--error-on-warnings"),
  ],
  ["unused code and dependencies", () => tool("knip/bin/knip.js")],
  ["size budget", sizes],
];

async function main() {
  await ensureInstalled(say);
  const failed = [];
  for (const [name, run] of STEPS) {
    say(`${name} …`);
    const code = await run().catch((/** @type {unknown} */ error) => {
      say(error instanceof UserError ? error.message : String(error));
      return 1;
    });
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new UserError(`npm run check failed: ${failed.join("; ")}.`);
  say("Everything checks.");
}

await runCommand(main);
