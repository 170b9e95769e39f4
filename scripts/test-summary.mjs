/** Adds up what Vitest reports. What was skipped, and a file that did not even load, count as failed: nothing passes unseen. */
import path from "node:path";

/**
 * @typedef {object} VitestReport Vitest's JSON report, as far as it is read here
 * @property {boolean} success
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {FileReport[]} testResults
 *
 * @typedef {object} FileReport
 * @property {string} status
 * @property {string} [name] path of the file
 * @property {{ status: string, fullName?: string, failureMessages?: string[] | null }[]} assertionResults
 *
 * @typedef {{ passed: number, failed: number, faults?: string[] }} Tally `faults` names what failed, and how it began
 */

/** Characters of a failure's message that are told again at the end. */
const MESSAGE_CHARS = 600;

/**
 * @param {VitestReport | null} report null where the run left none
 * @returns {Tally}
 */
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

/**
 * @param {FileReport} file
 * @returns {string[]}
 */
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

/**
 * What failed, told again where a reader of a long log looks first.
 * @param {Tally[]} tallies
 */
export const faultLines = (tallies) => tallies.flatMap(({ faults }) => faults ?? []);

/** @param {Tally[]} tallies */
export const summaryLine = (tallies) => {
  const sum = (/** @type {"passed" | "failed"} */ key) =>
    tallies.reduce((total, each) => total + each[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
};
