import fc from "fast-check";
import { expect, test } from "vitest";
import { retryDelay } from "@/lib/backoff";

test("pauses double from a second and end at the longest one", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((failures) => retryDelay(failures, () => 1, 30_000));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("a pause is never shorter than half of its step nor longer than the step", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (n, chance) => {
        const step = retryDelay(n, () => 1);
        const pause = retryDelay(n, () => chance);
        return pause >= step / 2 - 1 && pause <= step && step <= 60_000;
      },
    ),
  );
});
