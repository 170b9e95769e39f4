/** `npm run bench`: the measurements, alone and one after another. Each prints its own ratios. */
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { runCommand, UserError } from "./user-error.mjs";
import { runVitest } from "./vitest-run.mjs";

async function main() {
  await ensureInstalled((line) => process.stdout.write(`${line}\n`));
  const built = await runProgram(process.execPath, [inRoot("scripts/build.mjs")]);
  if (built !== 0) throw new UserError("The app was not built, so nothing was measured.");
  const { failed } = await runVitest("bench");
  if (failed > 0) process.exitCode = 1;
}

await runCommand(main);
