/** Adds up what Vitest reports. What was skipped, and a file that did not even load, count as failed: nothing passes unseen. */

/**
 * @typedef {object} VitestReport Vitest's JSON report, as far as it is read here
 * @property {boolean} success
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: unknown[] }[]} testResults
 *
 * @typedef {{ passed: number, failed: number }} Tally
 */

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
  return { passed: report.numPassedTests, failed: failed === 0 && !report.success ? 1 : failed };
}

/** @param {Tally[]} tallies */
export const summaryLine = (tallies) => {
  const sum = (/** @type {"passed" | "failed"} */ key) =>
    tallies.reduce((total, each) => total + each[key], 0);
  return `${sum("passed")} passed, ${sum("failed")} failed`;
};
