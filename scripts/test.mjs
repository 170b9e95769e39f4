/**
 * `npm test`: set-up, check, build, then unit, integration and browser tests, even if something
 * failed before. A red integration or browser test is run once more, alone: green then, it counts
 * as passed and is named as flaky. The last lines name what failed and how many passed and failed;
 * a failed check or set-up counts as one. Exit code 0 only if nothing failed. `npm test -- outbox`
 * runs the tests with "outbox" in their file's name, without the check; `--pocketbase PATH` the
 * integration tests on another PocketBase. `--repeat 5` runs the tests that often, gives red ones
 * no second run, and says how often each was red; `--busy 2` keeps two cores busy beside them.
 * `npm run test:more` (`--more`): set-up, build, the tests in Firefox and WebKitGTK, of the files
 * for operators, and of the stream of the database, and in all variants what `npm test` looks at by
 * turns.
 */
import { ensureBrowsers, MORE_BROWSERS, TEST_BROWSERS } from "./browsers.mjs";
import { ensureInstalled, runCommand, runNode, say, UserError } from "./checkout.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { beBusy, busyLine, inTestRun } from "./test-run.mjs";
import {
  faultLines,
  howOftenRed,
  readTestArguments,
  runRedAgain,
  runVitest,
  summaryLine,
} from "./vitest.mjs";

const USAGE = `npm test                          check, build, then all tests
npm test -- <part>…               the tests with the part in their file's name, without the check
npm test -- --pocketbase PATH     the integration tests on another PocketBase
npm test -- --repeat 5 <part>…    the tests five times, and how often each was red
npm test -- --busy 2              with two cores kept busy beside the tests
npm run test:more                 the tests in Firefox and WebKitGTK, of deploy and of the stream,
                                  and every variant of what npm test looks at once`;

/** @typedef {ReturnType<typeof readTestArguments>} Asked */

/** What must be there before a test runs, and whether it is right. @param {Asked} asked */
async function setUp({ pocketbase, more, files }) {
  if (pocketbase !== undefined) {
    process.env["POCKETBASE_BIN"] = pocketbase;
    const { path: binary } = await findPocketBase();
    say(`Testing PocketBase ${await pocketBaseVersion(binary)} (${binary})`);
  }
  const busy = await busyLine();
  if (busy !== null) say(busy);
  await ensureInstalled(say);
  await ensureBrowsers(more ? MORE_BROWSERS : TEST_BROWSERS);
  const tallies = [];
  for (const name of [pocketbase, more, ...files].some(Boolean) ? ["build"] : ["check", "build"]) {
    const failed = (await runNode(`scripts/${name}.mjs`)) === 0 ? 0 : 1;
    tallies.push({ passed: 0, failed, faults: failed ? [`npm run ${name} failed`] : [] });
  }
  return tallies;
}

/** The tests, as often as asked. @param {Asked} asked */
async function runTests({ projects, files, repeat, busy }) {
  beBusy(busy);
  const tallies = [];
  for (let time = 1; time <= repeat; time += 1) {
    if (repeat > 1) say(`\nRun ${time} of ${repeat}`);
    for (const project of projects)
      tallies.push(await runVitest(project, { files, mayBeEmpty: files.length > 0 }));
  }
  if (tallies.every(({ passed, failed }) => passed + failed === 0))
    throw new UserError(`No test file has ${files.join(" or ")} in its name.`);
  return tallies;
}

/** @param {import("./checkout.mjs").Given} given */
async function main(given) {
  const asked = readTestArguments(given);
  const tallies = [...(await setUp(asked)), ...(await runTests(asked))];
  const alone = (/** @type {string} */ project, /** @type {string} */ file) =>
    runVitest(project, { files: [file] });
  const isOnce = asked.repeat === 1;
  const counted = isOnce ? await runRedAgain(tallies, alone) : { tallies, flaky: [] };
  if (counted.tallies.some(({ failed }) => failed > 0)) process.exitCode = 1;
  const faults = isOnce ? faultLines(counted.tallies) : howOftenRed(tallies, asked.repeat);
  for (const fault of faults) say(`\n✗ ${fault}`);
  for (const fault of counted.flaky) say(`\nflaky: ${fault}`);
  say(summaryLine(counted.tallies));
}

/** @type {import("./checkout.mjs").Takes} */
const TAKES = {
  options: {
    pocketbase: { type: "string" },
    more: { type: "boolean" },
    repeat: { type: "string" },
    busy: { type: "string" },
  },
  positionals: true,
};
await runCommand(USAGE, (given) => inTestRun(() => main(given)), TAKES);
