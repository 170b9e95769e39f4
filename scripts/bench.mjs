/**
 * `npm run bench`: runs the measurements one after another, and lists at the end what they found.
 * `npm run bench -- tus` runs those with "tus" in their file's name.
 */
import { ensureInstalled, runCommand, runNode, say, UserError } from "./checkout.mjs";
import { inTestRun } from "./test-run.mjs";
import { runVitest } from "./vitest.mjs";

/** What a measurement prints: a sentence with a ratio or a limit in it. */
const MEASUREMENT = /: .*\d.*\((?:<=|>=|\+)|\bratio \d/;

const USAGE = `npm run bench              runs the measurements, and lists at the end what they found
npm run bench -- <part>…   runs those with the part in their file's name`;

/** @param {import("./checkout.mjs").Given} given */
async function main({ positionals }) {
  await ensureInstalled(say);
  if ((await runNode("scripts/build.mjs")) !== 0)
    throw new UserError("The app was not built, so nothing was measured.");
  /** @type {string[]} */
  const found = [];
  const { passed, failed } = await runVitest("bench", {
    files: positionals,
    onLine: (line) => {
      if (MEASUREMENT.test(line)) found.push(line.trim());
    },
  });
  say("\nMeasured, with what is allowed in brackets:");
  for (const line of found) say(`  ${line}`);
  say(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

await runCommand(USAGE, (given) => inTestRun(() => main(given)), { positionals: true });
