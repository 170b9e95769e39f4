/** The mutants themselves are tried by `npm run chaos -- --mutants`; that each still has its place is asked at every test. */
import { readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import { mutate } from "@tests/chaos/build-device";
import { MUTANTS } from "@tests/chaos/mutants";
import { expect, test } from "vitest";

test.each(MUTANTS)("there is a place for: $name", async (mutant) => {
  const source = await readFile(inRoot(mutant.file), "utf8");
  expect(mutate(source, mutant)).not.toBe(source);
});

test("a place that is gone, or is there twice, is told", () => {
  const [mutant] = MUTANTS;
  if (mutant === undefined) throw new Error("there are none");
  for (const source of ["", mutant.find.repeat(2)]) {
    expect(() => mutate(source, mutant)).toThrow("is out of date");
  }
});
