/**
 * `npm run bench`: the measurements, alone and one after another; at the end once more all that they found.
 * `npm run bench -- tus` runs those with "tus" in their file's name.
 */
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { runCommand, UserError } from "./user-error.mjs";
import { runVitest } from "./vitest-run.mjs";

/** What a measurement prints: a sentence with a ratio or a limit in it. */
const MEASUREMENT = /: .*\d.*\((?:<=|>=|\+)|\bratio \d/;

async function main() {
  await ensureInstalled((line) => process.stdout.write(`${line}\n`));
  const built = await runProgram(process.execPath, [inRoot("scripts/build.mjs")]);
  if (built !== 0) throw new UserError("The app was not built, so nothing was measured.");
  /** @type {string[]} */
  const found = [];
  const { passed, failed } = await runVitest("bench", {
    files: process.argv.slice(2),
    onLine: (line) => {
      if (MEASUREMENT.test(line)) found.push(line.trim());
    },
  });
  const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
  say("\nMeasured, with what is allowed in brackets:");
  for (const line of found) say(`  ${line}`);
  say(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

await runCommand(main);
