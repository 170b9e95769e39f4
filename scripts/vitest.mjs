/**
 * Runs one Vitest project and adds up its results. A skipped test, and a file that did not load,
 * count as failed: nothing passes unseen.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inRoot, runProgram, UserError } from "./checkout.mjs";

/**
 * Vitest's JSON report, the parts that are read here. `name` is the path of a file, `faults` what
 * failed and how it began.
 * @typedef {{ status: string, fullName?: string, failureMessages?: string[] | null }} TestReport
 * @typedef {{ status: string, name?: string, assertionResults: TestReport[] }} FileReport
 * @typedef {{ success: boolean, numPassedTests: number, numFailedTests: number,
 *   numPendingTests: number, numTodoTests: number, testResults: FileReport[] }} VitestReport
 * @typedef {{ project: string, file: string, fault: string }} RedTest `file` is a path
 * @typedef {{ passed: number, failed: number, faults?: string[], red?: RedTest[] }} Tally
 *   `red` are the tests that failed; none where something failed that is no test
 */

/**
 * A number that was asked for, or the usual one, which is also the least.
 * @param {import("./checkout.mjs").Given["values"]} values @param {string} name
 * @param {number} usual
 */
function count(values, name, usual) {
  const text = values[name] ?? String(usual);
  if (typeof text !== "string" || !/^\d{1,3}$/.test(text) || Number(text) < usual)
    throw new UserError(`--${name} takes a whole number from ${usual} to 999.`);
  return Number(text);
}

/**
 * What `npm test` was asked for. With another PocketBase only the tests with a real server run;
 * `more` are those in browsers that `npm test` does without, and those of which it looks at a part.
 * @param {import("./checkout.mjs").Given} given
 */
export function readTestArguments({ values, positionals: files }) {
  const pocketbase = typeof values["pocketbase"] === "string" ? values["pocketbase"] : undefined;
  const more = values["more"] === true;
  const usual = pocketbase === undefined ? ["unit", "integration", "e2e"] : ["integration"];
  const often = { repeat: count(values, "repeat", 1), busy: count(values, "busy", 0) };
  return { pocketbase, more, projects: more ? ["more", "thorough"] : usual, files, ...often };
}

/** Characters of a failure's message that are repeated at the end. */
const MESSAGE_CHARS = 600;

/**
 * @param {VitestReport | null} report null if the run wrote none
 * @param {string} [project] whose report it is
 * @returns {Tally}
 */
export function tally(report, project = "") {
  if (report === null) return { passed: 0, failed: 1 };
  const skipped = report.numPendingTests + report.numTodoTests;
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + skipped + unloaded;
  // An unhandled error or an empty run fails without a failed test.
  const red = report.testResults.flatMap(({ name: file = "", assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map((test) => ({ project, file, fault: faultOf(file, test) })),
  );
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    faults: report.testResults.flatMap(faultsOf),
    red: red.length === failed ? red : [],
  };
}

/** @param {string} file @param {TestReport} test */
function faultOf(file, { status, fullName, failureMessages }) {
  const message = (failureMessages ?? []).join("\n").slice(0, MESSAGE_CHARS);
  return `${path.basename(file)}: ${fullName ?? ""} (${status})\n${message}`.trimEnd();
}

/** @param {FileReport} file @returns {string[]} */
function faultsOf({ status, name: file = "", assertionResults }) {
  if (status === "failed" && assertionResults.length === 0) {
    return [`${path.basename(file)}: did not load`];
  }
  return assertionResults
    .filter((test) => test.status !== "passed")
    .map((test) => faultOf(file, test));
}

/** More tests than these that pass only the second time make the run red. */
const MOST_FLAKY = 3;

/**
 * Runs each file with a red test once more, alone: a busy machine or an unlucky moment may have
 * made it red. Where the whole file is green then, its red tests count as passed, and are named.
 * Unit tests have no such excuse.
 * @param {Tally[]} tallies of all projects
 * @param {(project: string, file: string) => Promise<Tally>} runAlone
 * @returns {Promise<{ tallies: Tally[], flaky: string[] }>} `flaky`: what was red, and how
 */
export async function runRedAgain(tallies, runAlone) {
  const red = tallies.flatMap((each) => each.red ?? []).filter(({ project }) => project !== "unit");
  if (red.length > MOST_FLAKY) return { tallies, flaky: [] };
  /** @type {Set<string>} */
  const green = new Set();
  for (const { project, file } of red) {
    if (!green.has(file) && (await runAlone(project, file)).failed === 0) green.add(file);
  }
  const flaky = red.filter(({ file }) => green.has(file)).map(({ fault }) => fault);
  const counted = tallies.map((each) => {
    const faults = (each.faults ?? []).filter((fault) => !flaky.includes(fault));
    const passing = (each.faults ?? []).length - faults.length;
    return { passed: each.passed + passing, failed: each.failed - passing, faults };
  });
  return { tallies: counted, flaky };
}

/**
 * What was red in several runs of the same tests, most often first, with the first time's message.
 * @param {Tally[]} tallies of all runs @param {number} runs
 */
export function howOftenRed(tallies, runs) {
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const fault of faultLines(tallies)) {
    const [name = ""] = fault.split("\n", 1);
    byName.set(name, [...(byName.get(name) ?? []), fault]);
  }
  return [...byName.values()]
    .sort((one, other) => other.length - one.length)
    .map((faults) => `red ${faults.length} of ${runs}: ${faults[0]}`);
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
 * @param {string} project a name in vitest.config.ts, or how several begin
 * @param {{ onLine?: (line: string) => void, files?: string[], mayBeEmpty?: boolean }} [options]
 *   `onLine` receives each line of output; `files` are parts of names: only those files run, and
 *   with `mayBeEmpty` there may be none
 * @returns {Promise<Tally>}
 */
export async function runVitest(project, { onLine, files = [], mayBeEmpty = false } = {}) {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "augenblick-report-")), "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const empty = mayBeEmpty ? ["--passWithNoTests"] : [];
  const vitest = [inRoot("node_modules/vitest/vitest.mjs"), "run", ...files, ...empty];
  const args = [...vitest, "--project", `${project}*`, ...reporters];
  const code = await runProgram(process.execPath, args, onLine ? { onLine } : {});
  const text = await readFile(file, "utf8").catch(() => null);
  const result = tally(text === null ? null : JSON.parse(text), project);
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}
