/** The test of the test: `npm run chaos -- --mutants`. Each fault put into the client or the server turns a run red. */
import { expect, test } from "vitest";
import { buildDevice, type Mutant, removeDevice } from "./build-device";
import { MUTANTS, NUMBERED_TOO_EARLY } from "./mutants";
import { runChaos } from "./run-chaos";

const size = { devices: 3, operations: 30 };
/** Chance decides what meets what: a seed in which nothing met the fault says nothing. */
const SEEDS = [4, 1, 2, 3, 5, 6];

/** For a queue that a fault keeps from its end. */
const PATIENCE_MS = 40_000;

async function violationsOf(mutants: Mutant[], mutation?: string): Promise<string[]> {
  const programs = await buildDevice(mutants);
  const fault = mutation === undefined ? {} : { mutation };
  try {
    for (const seed of SEEDS) {
      const began = performance.now();
      const options = { seed, ...size, programs, patienceMs: PATIENCE_MS, ...fault };
      const { violations } = await runChaos(options);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const some = violations.slice(0, 3).join(" | ");
      process.stdout.write(
        `  ${mutants[0]?.name ?? "server"}, seed ${seed}, ${seconds} s: ${some}\n`,
      );
      if (violations.length > 0) return violations;
    }
    return [];
  } finally {
    await removeDevice(programs);
  }
}

test.each(MUTANTS)("it is noticed that $name", async (mutant) => {
  expect(await violationsOf([mutant])).not.toEqual([]);
});

test("it is noticed that rows are numbered before they are stored", async () => {
  expect(await violationsOf([], NUMBERED_TOO_EARLY)).not.toEqual([]);
});

/** What is read is new again. */
const READ_IN_VAIN = `CREATE TRIGGER read_in_vain AFTER UPDATE OF readAt ON notifications
  WHEN NEW.readAt != '' BEGIN UPDATE notifications SET readAt = '' WHERE rowid = NEW.rowid; END`;

test("it is noticed that what was read is new again", async () => {
  const violations = await violationsOf([], READ_IN_VAIN);
  expect(violations.join("\n")).toMatch(/was read, and is new/);
});

test.each(["likes_notify", "comments_unnotify", "comments_notify_reply", "comments_unmention"])(
  "it is noticed that %s is missing",
  async (name) => {
    const violations = await violationsOf([], `DROP TRIGGER ${name}`);
    expect(violations.join("\n")).toMatch(/notification/);
  },
);
