/**
 * `npm test`: set-up, check, build, then unit, integration and browser tests, whatever failed before. The last line says how
 * many passed and failed; a failed check or set-up counts as one. Exit code 0 only where nothing failed.
 */
import { findChromium } from "./chromium.mjs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { summaryLine } from "./test-summary.mjs";
import { runCommand } from "./user-error.mjs";
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
  const outcome = (/** @type {number} */ code) => ({ passed: 0, failed: code === 0 ? 0 : 1 });
  const tallies = [outcome(await script("check.mjs")), outcome(await script("build.mjs"))];
  for (const project of ["unit", "integration", "e2e"]) tallies.push(await runVitest(project));
  if (tallies.some(({ failed }) => failed > 0)) process.exitCode = 1;
  say(summaryLine(tallies));
}

await runCommand(main);
