/** The long run: `npm run chaos`. Its size and seeds come from the command line through the environment. */
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildDevice, type Programs, removeDevice } from "./build-device";
import { runChaos } from "./run-chaos";

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const first = setting("CHAOS_SEED", 1);
const seeds = Array.from({ length: setting("CHAOS_SEEDS", 1) }, (_, at) => first + at);

/** In every so many seeds one device is a real browser; in none where it is 0. */
const every = setting("CHAOS_BROWSER", 4);

let programs: Programs;
beforeAll(async () => {
  programs = await buildDevice();
});
afterAll(() => removeDevice(programs));

test.each(seeds)(
  "seed %i: nothing is lost, doubled, stuck or shown to whom it is not",
  async (seed) => {
    const began = performance.now();
    const devices = setting("CHAOS_DEVICES", 4);
    const operations = setting("CHAOS_OPERATIONS", 120);
    const report = await runChaos({
      seed,
      devices,
      operations,
      programs,
      browser: every > 0 && seed % every === 0,
    });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const { taken, deaths, requests, faults, violations } = report;
    process.stdout.write(
      `seed ${seed}: ${taken} of ${devices * operations} operations taken, ${requests} requests, ${faults} faults, ${deaths} deaths, ${seconds} s, violations: ${violations.length}\n`,
    );
    for (const violation of violations) process.stdout.write(`  ${JSON.stringify(violation)}\n`);
    const notes = process.env["CHAOS_NOTES"];
    if (notes !== undefined)
      await writeFile(`${notes}.${seed}.json`, JSON.stringify(report, null, 1));
    expect(violations).toEqual([]);
  },
);
