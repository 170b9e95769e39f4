/**
 * `npm test`: set-up, check, build, then unit, integration and browser tests, whatever failed before. The last lines name what
 * failed and say how many passed and failed; a failed check or set-up counts as one. Exit code 0 only where nothing failed.
 * `npm test -- outbox` runs those with "outbox" in their file's name, without the check.
 */
import { findChromium } from "./chromium.mjs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { faultLines, summaryLine } from "./test-summary.mjs";
import { runCommand, UserError } from "./user-error.mjs";
import { runVitest } from "./vitest-run.mjs";

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const script = (/** @type {string} */ name) =>
  runProgram(process.execPath, [inRoot(`scripts/${name}`)]);

/** Installs Debian's Chromium where it is missing and this user may; otherwise says what to do. */
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

async function main() {
  await ensureInstalled(say);
  await ensureChromium();
  const files = process.argv.slice(2);
  const tallies = [];
  for (const name of files.length === 0 ? ["check", "build"] : ["build"]) {
    const failed = (await script(`${name}.mjs`)) === 0 ? 0 : 1;
    tallies.push({ passed: 0, failed, faults: failed ? [`npm run ${name} failed`] : [] });
  }
  for (const project of ["unit", "integration", "e2e"]) {
    tallies.push(await runVitest(project, { files, mayBeEmpty: files.length > 0 }));
  }
  if (tallies.every(({ passed, failed }) => passed + failed === 0)) {
    throw new UserError(`No test file has ${files.join(" or ")} in its name.`);
  }
  if (tallies.some(({ failed }) => failed > 0)) process.exitCode = 1;
  for (const fault of faultLines(tallies)) say(`\n✗ ${fault}`);
  say(summaryLine(tallies));
}

await runCommand(main);
