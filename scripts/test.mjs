/**
 * `npm test`: set-up, check, build, then unit, integration and browser tests, even if something
 * failed before. A red integration or browser test is run once more, alone: green then, it counts
 * as passed and is named as flaky. The last lines name what failed and how many passed and failed;
 * a failed check or set-up counts as one. Exit code 0 only if nothing failed. `npm test -- outbox`
 * runs the tests with "outbox" in their file's name, without the check; `--pocketbase PATH` the
 * integration tests on another PocketBase. `npm run test:more` (`--more`): set-up, build, the tests
 * in Firefox and WebKitGTK, of the files for operators, and of the stream of the database.
 */
import { ensureBrowsers, MORE_BROWSERS, TEST_BROWSERS } from "./browsers.mjs";
import { ensureInstalled, runCommand, runNode, say, UserError } from "./checkout.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { faultLines, readTestArguments, runRedAgain, runVitest, summaryLine } from "./vitest.mjs";

const USAGE = `npm test                          check, build, then all tests
npm test -- <part>…               the tests with the part in their file's name, without the check
npm test -- --pocketbase PATH     the integration tests on another PocketBase
npm run test:more                 the tests in Firefox and WebKitGTK, of deploy and of the stream`;

/** @param {import("./checkout.mjs").Given} given */
async function main(given) {
  const { pocketbase, more, projects, files } = readTestArguments(given);
  if (pocketbase !== undefined) {
    process.env["POCKETBASE_BIN"] = pocketbase;
    const { path: binary } = await findPocketBase();
    say(`Testing PocketBase ${await pocketBaseVersion(binary)} (${binary})`);
  }
  await ensureInstalled(say);
  await ensureBrowsers(more ? MORE_BROWSERS : TEST_BROWSERS);
  const tallies = [];
  for (const name of [pocketbase, more, ...files].some(Boolean) ? ["build"] : ["check", "build"]) {
    const failed = (await runNode(`scripts/${name}.mjs`)) === 0 ? 0 : 1;
    tallies.push({ passed: 0, failed, faults: failed ? [`npm run ${name} failed`] : [] });
  }
  for (const project of projects) {
    tallies.push(await runVitest(project, { files, mayBeEmpty: files.length > 0 }));
  }
  if (tallies.every(({ passed, failed }) => passed + failed === 0))
    throw new UserError(`No test file has ${files.join(" or ")} in its name.`);
  const alone = (/** @type {string} */ project, /** @type {string} */ file) =>
    runVitest(project, { files: [file] });
  const second = await runRedAgain(tallies, alone);
  if (second.tallies.some(({ failed }) => failed > 0)) process.exitCode = 1;
  for (const fault of faultLines(second.tallies)) say(`\n✗ ${fault}`);
  for (const fault of second.flaky) say(`\nflaky: ${fault}`);
  say(summaryLine(second.tallies));
}

/** @type {import("./checkout.mjs").Takes} */
const TAKES = {
  options: { pocketbase: { type: "string" }, more: { type: "boolean" } },
  positionals: true,
};
await runCommand(USAGE, main, TAKES);
