/**
 * `npm run chaos -- --seed N`: devices with real clients act over a bad network on a real server
 * that is killed while they work; in the end everything must agree. `--seeds K` runs K seeds from N
 * on, `--devices` and `--operations` set the size, `--browser M` makes one device a real browser in
 * every M-th seed (4 by default, 0 for none), `--store s3` has the server's files in a bucket that
 * is slow, fails and is cut off, and restores its databases from their stream, `--mutants` checks
 * that a run fails by each known fault put into the client, `--notes FILE` writes down what it did,
 * `--report FILE` the figures of each seed and their sums.
 */
import path from "node:path";
import { ensureInstalled, runCommand, say, UserError } from "./checkout.mjs";
import { inTestRun } from "./test-run.mjs";
import { runVitest } from "./vitest.mjs";

const NUMBERS = ["seed", "seeds", "devices", "operations", "browser"];

const USAGE = `npm run chaos -- [options]   devices act over a bad network on a server that is killed
  --seed N         the first seed
  --seeds K        how many seeds from there on
  --devices N, --operations N   the size
  --browser M      one device is a real browser in every M-th seed (4; 0: never)
  --store s3       files in a bucket that fails, and a restore from the stream (disk)
  --mutants        checks that a run fails by each known fault put into the client
  --notes FILE     writes down what it did
  --report FILE    writes the figures of each seed and their sums, as JSON`;

/** @type {{ type: "string" }} */
const TEXT = { type: "string" };
/** @type {import("./checkout.mjs").Takes} */
const TAKES = {
  options: {
    ...Object.fromEntries(NUMBERS.map((name) => [name, TEXT])),
    mutants: { type: "boolean" },
    notes: TEXT,
    report: TEXT,
    store: TEXT,
  },
};

/** @param {import("./checkout.mjs").Given} given */
function readSettings({ values }) {
  /** @type {Record<string, string>} */
  const settings = {};
  for (const name of NUMBERS) {
    const value = values[name];
    if (typeof value !== "string") continue;
    if (!/^\d{1,9}$/.test(value)) throw new UserError(`--${name} takes a whole number.`);
    settings[`CHAOS_${name.toUpperCase()}`] = value;
  }
  const { notes, report, store, mutants } = values;
  if (typeof notes === "string") settings["CHAOS_NOTES"] = notes;
  if (typeof report === "string") settings["CHAOS_REPORT"] = path.resolve(report);
  if (store !== undefined && store !== "disk" && store !== "s3")
    throw new UserError("--store takes disk or s3.");
  if (store !== undefined) settings["CHAOS_STORE"] = store;
  return { settings, mutants: mutants === true };
}

/** @param {import("./checkout.mjs").Given} given */
async function main(given) {
  const { settings, mutants } = readSettings(given);
  await ensureInstalled(say);
  Object.assign(process.env, settings);
  const { passed, failed } = await runVitest("chaos", {
    files: [mutants ? "tests/chaos/mutants.test" : "tests/chaos/chaos.test"],
  });
  say(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

await runCommand(USAGE, (given) => inTestRun(() => main(given)), TAKES);
