/** The long run: `npm run chaos`. Its size and seeds come from the command line through the environment. */
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildDevice, type Programs, removeDevice } from "./build-device";
import { type ChaosReport, runChaos } from "./run-chaos";

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const first = setting("CHAOS_SEED", 1);
const seeds = Array.from({ length: setting("CHAOS_SEEDS", 1) }, (_, at) => first + at);

/** In every so many seeds one device is a real browser; in none where it is 0. */
const every = setting("CHAOS_BROWSER", 4);

const store = process.env["CHAOS_STORE"] === "s3" ? "s3" : "disk";
const devices = setting("CHAOS_DEVICES", 4);
const operations = setting("CHAOS_OPERATIONS", 120);

/** Of one seed, or of all. */
type Figures = Pick<
  ChaosReport,
  "taken" | "requests" | "faults" | "deaths" | "kills" | "storeRequests" | "storeFaults"
> & { operations: number; pages: number; seconds: number; violations: number };

const figures: ({ seed: number } & Figures)[] = [];

/** After each seed, so that a long run that is broken off leaves what it found. */
async function writeReport(file: string): Promise<void> {
  const total: Partial<Figures> = {};
  for (const { seed: _, ...one } of figures) {
    for (const name of Object.keys(one) as (keyof Figures)[]) {
      total[name] = (total[name] ?? 0) + one[name];
    }
  }
  const run = { at: new Date().toISOString(), node: process.version, cores: cpus().length };
  const options = { store, devices, operations, asked: seeds.length };
  const report = { ...run, ...options, done: figures.length, total, seeds: figures };
  await writeFile(file, `${JSON.stringify(report, null, 1)}\n`);
}

let programs: Programs;
beforeAll(async () => {
  programs = await buildDevice();
});
afterAll(() => removeDevice(programs));

test.each(seeds)(
  "seed %i: nothing is lost, doubled, stuck or shown to whom it is not",
  async (seed) => {
    const began = performance.now();
    const browser = every > 0 && seed % every === 0;
    const report = await runChaos({
      seed,
      devices,
      operations,
      programs,
      browser,
      store,
    });
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const { taken, deaths, requests, faults, violations, kills, storeRequests, storeFaults } =
      report;
    process.stdout.write(
      `seed ${seed}: ${taken} of ${devices * operations} operations taken, ${requests} requests, ${faults} faults, ${deaths} deaths, ${kills} of the server, ${storeFaults} faults in ${storeRequests} requests to the store, ${seconds} s, violations: ${violations.length}\n`,
    );
    for (const violation of violations) process.stdout.write(`  ${JSON.stringify(violation)}\n`);
    figures.push({
      seed,
      operations: devices * operations,
      taken,
      requests,
      faults,
      deaths,
      kills,
      storeRequests,
      storeFaults,
      pages: browser ? 1 : 0,
      seconds,
      violations: violations.length,
    });
    const file = process.env["CHAOS_REPORT"];
    if (file !== undefined) await writeReport(file);
    const notes = process.env["CHAOS_NOTES"];
    if (notes !== undefined)
      await writeFile(`${notes}.${seed}.json`, JSON.stringify(report, null, 1));
    expect(violations).toEqual([]);
  },
);
