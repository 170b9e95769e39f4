/**
 * Runs one Vitest project and adds up its results. A skipped test, and a file that did not load,
 * count as failed: nothing passes unseen.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { CACHE_DIR, inRoot, runProgram } from "./checkout.mjs";

/**
 * Vitest's JSON report, the parts that are read here. `name` is the path of a file, `faults` what
 * failed and how it began.
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] | null }} TestReport
 * @typedef {{ status: string, name?: string, assertionResults: TestReport[] }} FileReport
 * @typedef {{ success: boolean, numPassedTests: number, numFailedTests: number,
 *   numPendingTests: number, numTodoTests: number, testResults: FileReport[] }} VitestReport
 * @typedef {{ passed: number, failed: number, faults?: string[] }} Tally
 */

/**
 * What `npm test` was asked for. With another PocketBase only the tests with a real server run;
 * `more` are those in browsers that `npm test` does without.
 * @param {import("./checkout.mjs").Given} given
 */
export function readTestArguments({ values, positionals: files }) {
  const pocketbase = typeof values["pocketbase"] === "string" ? values["pocketbase"] : undefined;
  const more = values["more"] === true;
  const usual = pocketbase === undefined ? ["unit", "integration", "e2e"] : ["integration"];
  return { pocketbase, more, projects: more ? ["more"] : usual, files };
}

/** Characters of a failure's message that are repeated at the end. */
const MESSAGE_CHARS = 600;

/** @param {VitestReport | null} report null if the run wrote none @returns {Tally} */
export function tally(report) {
  if (report === null) return { passed: 0, failed: 1 };
  const skipped = report.numPendingTests + report.numTodoTests;
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + skipped + unloaded;
  // An unhandled error or an empty run fails without a failed test.
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    faults: report.testResults.flatMap(faultsOf),
  };
}

/** @param {FileReport} file @returns {string[]} */
function faultsOf(file) {
  const place = path.basename(file.name ?? "");
  if (file.status === "failed" && file.assertionResults.length === 0) {
    return [`${place}: did not load`];
  }
  return file.assertionResults
    .filter(({ status }) => status !== "passed")
    .map(({ status, fullName, failureMessages }) => {
      const message = (failureMessages ?? []).join("\n").slice(0, MESSAGE_CHARS);
      return `${place}: ${fullName ?? ""} (${status})\n${message}`.trimEnd();
    });
}

/** What failed, repeated at the end of a long log. @param {Tally[]} tallies */
export const faultLines = (tallies) => tallies.flatMap(({ faults }) => faults ?? []);

/** @param {Tally[]} tallies */
export const summaryLine = (tallies) => {
  const sum = (/** @type {"passed" | "failed"} */ key) =>
    tallies.reduce((total, each) => total + each[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
};

/**
 * @param {string} project a name in vite.config.ts
 * @param {{ onLine?: (line: string) => void, files?: string[], mayBeEmpty?: boolean }} [options]
 *   `onLine` receives each line of output; `files` are parts of names: only those files run, and
 *   with `mayBeEmpty` there may be none
 * @returns {Promise<Tally>}
 */
export async function runVitest(project, { onLine, files = [], mayBeEmpty = false } = {}) {
  const folder = path.join(CACHE_DIR, "test-reports");
  const file = path.join(folder, `${project}.json`);
  await mkdir(folder, { recursive: true });
  await rm(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const empty = mayBeEmpty ? ["--passWithNoTests"] : [];
  const vitest = [inRoot("node_modules/vitest/vitest.mjs"), "run", ...files, ...empty];
  const args = [...vitest, "--project", project, ...reporters];
  const code = await runProgram(process.execPath, args, onLine ? { onLine } : {});
  const text = await readFile(file, "utf8").catch(() => null);
  const result = tally(text === null ? null : JSON.parse(text));
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}
