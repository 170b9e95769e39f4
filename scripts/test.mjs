/**
 * `npm test`: set-up, check, build, then unit, integration and browser tests, even if something
 * failed before. The last lines name what failed and how many passed and failed; a failed check or
 * set-up counts as one. Exit code 0 only if nothing failed. `npm test -- outbox` runs the tests
 * with "outbox" in their file's name, without the check; `--pocketbase PATH` the integration tests
 * on another PocketBase.
 */
import {
  ensureInstalled,
  findChromium,
  runCommand,
  runNode,
  runProgram,
  say,
  UserError,
} from "./checkout.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { faultLines, readTestArguments, runVitest, summaryLine } from "./vitest.mjs";

/** Installs Debian's Chromium if it is missing and this user may; otherwise says what to do. */
async function ensureChromium() {
  const found = await findChromium().catch(() => null);
  if (found !== null) return;
  if (process.getuid?.() === 0 && !process.env["CHROMIUM_BIN"]) {
    say("Installing Chromium for the browser tests …");
    const quietly = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    await runProgram("apt-get", ["-qq", "update"], quietly);
    const packages = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
    await runProgram("apt-get", packages, quietly);
  }
  await findChromium();
}

await runCommand(async () => {
  const { pocketbase, projects, files } = readTestArguments(process.argv.slice(2));
  if (pocketbase !== undefined) {
    process.env["POCKETBASE_BIN"] = pocketbase;
    const { path: binary } = await findPocketBase();
    say(`Testing PocketBase ${await pocketBaseVersion(binary)} (${binary})`);
  }
  await ensureInstalled(say);
  await ensureChromium();
  const tallies = [];
  for (const name of [pocketbase, ...files].some(Boolean) ? ["build"] : ["check", "build"]) {
    const failed = (await runNode(`scripts/${name}.mjs`)) === 0 ? 0 : 1;
    tallies.push({ passed: 0, failed, faults: failed ? [`npm run ${name} failed`] : [] });
  }
  for (const project of projects) {
    tallies.push(await runVitest(project, { files, mayBeEmpty: files.length > 0 }));
  }
  if (tallies.every(({ passed, failed }) => passed + failed === 0))
    throw new UserError(`No test file has ${files.join(" or ")} in its name.`);
  if (tallies.some(({ failed }) => failed > 0)) process.exitCode = 1;
  for (const fault of faultLines(tallies)) say(`\n✗ ${fault}`);
  say(summaryLine(tallies));
});
