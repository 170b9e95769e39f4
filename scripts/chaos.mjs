/**
 * `npm run chaos -- --seed N`: devices with real clients act over a bad network on a real server that is killed under
 * them; then everything must agree. `--seeds K` runs K seeds from N on, `--devices` and `--operations` set the size,
 * `--browser M` makes one device a real browser in every M-th seed (4 unless given, 0 for none), `--mutants` checks that each known fault put into the client turns a run red, `--notes FILE` keeps what a run did.
 */
import { parseArgs } from "node:util";
import { ensureInstalled } from "./install.mjs";
import { runCommand, UserError } from "./user-error.mjs";
import { runVitest } from "./vitest-run.mjs";

const NUMBERS = ["seed", "seeds", "devices", "operations", "browser"];

function readSettings() {
  const number = { type: /** @type {const} */ ("string") };
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(NUMBERS.map((name) => [name, number])),
      mutants: { type: "boolean", default: false },
      notes: { type: "string" },
    },
  });
  /** @type {Record<string, string>} */
  const settings = {};
  for (const name of NUMBERS) {
    const value = Reflect.get(values, name);
    if (value === undefined) continue;
    if (!/^\d{1,9}$/.test(value)) throw new UserError(`--${name} takes a whole number.`);
    settings[`CHAOS_${name.toUpperCase()}`] = value;
  }
  if (values.notes !== undefined) settings["CHAOS_NOTES"] = values.notes;
  return { settings, mutants: values.mutants };
}

async function main() {
  const { settings, mutants } = readSettings();
  await ensureInstalled((line) => process.stdout.write(`${line}\n`));
  Object.assign(process.env, settings);
  const { passed, failed } = await runVitest("chaos", {
    files: [mutants ? "tests/chaos/mutants.test" : "tests/chaos/chaos.test"],
  });
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  if (failed > 0) process.exitCode = 1;
}

await runCommand(main);
