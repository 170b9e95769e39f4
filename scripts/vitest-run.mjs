/** Runs one Vitest project and reads its outcome. */
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { CACHE_DIR, inRoot } from "./paths.mjs";
import { runProgram } from "./run-program.mjs";
import { tally } from "./test-summary.mjs";

/**
 * @param {string} project a name in vite.config.ts
 * @param {{ onLine?: (line: string) => void, files?: string[], mayBeEmpty?: boolean }} [options] `onLine` hears each line that
 *   it prints; `files` are parts of names: only those files run, and with `mayBeEmpty` it is no fault that there is none
 * @returns {Promise<import("./test-summary.mjs").Tally>}
 */
export async function runVitest(project, options = {}) {
  const folder = path.join(CACHE_DIR, "test-reports");
  const file = path.join(folder, `${project}.json`);
  await mkdir(folder, { recursive: true });
  await rm(file, { force: true });
  const args = [
    inRoot("node_modules/vitest/vitest.mjs"),
    "run",
    ...(options.files ?? []),
    ...(options.mayBeEmpty ? ["--passWithNoTests"] : []),
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const code = await runProgram(
    process.execPath,
    args,
    options.onLine ? { onLine: options.onLine } : {},
  );
  const text = await readFile(file, "utf8").catch(() => null);
  const result = tally(text === null ? null : JSON.parse(text));
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}
