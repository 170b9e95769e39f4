/**
 * `npm run chaos -- --seed N`: devices with real clients act over a bad network on a real server
 * that is killed while they work; in the end everything must agree. `--seeds K` runs K seeds from N
 * on, `--devices` and `--operations` set the size, `--browser M` makes one device a real browser in
 * every M-th seed (4 by default, 0 for none), `--mutants` checks that a run fails by each known
 * fault put into the client, `--notes FILE` writes down what it did.
 */
import { parseArgs } from "node:util";
import { ensureInstalled, runCommand, say, UserError } from "./checkout.mjs";
import { runVitest } from "./vitest.mjs";

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

await runCommand(async () => {
  const { settings, mutants } = readSettings();
  await ensureInstalled(say);
  Object.assign(process.env, settings);
  const { passed, failed } = await runVitest("chaos", {
    files: [mutants ? "tests/chaos/mutants.test" : "tests/chaos/chaos.test"],
  });
  say(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
