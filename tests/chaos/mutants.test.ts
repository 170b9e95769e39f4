/** The test of the test: `npm run chaos -- --mutants`. Each fault put into the client or the server turns a run red. */
import { expect, test } from "vitest";
import { buildDevice, type Mutant, removeDevice } from "./build-device";
import { MUTANTS, NUMBERED_TOO_EARLY } from "./mutants";
import { type ChaosOptions, runChaos } from "./run-chaos";

const size = { devices: 3, operations: 30 };
/** Chance decides what meets what: a seed in which nothing met the fault says nothing. */
const SEEDS = [4, 1, 2, 3];

/** Many times what a run of this size takes. */
const LONGEST_MS = 240_000;

async function violationsOf(mutants: Mutant[], mutation?: string): Promise<string[]> {
  const programs = await buildDevice(mutants);
  try {
    for (const seed of SEEDS) {
      const server = mutation === undefined ? {} : { mutation };
      const mayHang = mutants.some((mutant) => mutant.mayHang === true);
      const violations = await run({ seed, ...size, programs, ...server }, mayHang);
      process.stdout.write(
        `  ${mutants[0]?.name ?? "server"}, seed ${seed}: ${violations.slice(0, 3).join(" | ")}\n`,
      );
      if (violations.length > 0) return violations;
    }
    return [];
  } finally {
    await removeDevice(programs);
  }
}

async function run(options: ChaosOptions, mayHang: boolean): Promise<string[]> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    return (await runChaos({ ...options, signal })).violations;
  } catch (error) {
    if (!signal.aborted || !mayHang) throw error;
    return ["it does not come to an end"];
  }
}

test.each(MUTANTS)("it is noticed that $name", async (mutant) => {
  expect(await violationsOf([mutant])).not.toEqual([]);
});

test("it is noticed that rows are numbered before they are stored", async () => {
  expect(await violationsOf([], NUMBERED_TOO_EARLY)).not.toEqual([]);
});
