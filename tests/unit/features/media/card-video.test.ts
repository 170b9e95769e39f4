import { expect, test } from "vitest";
import { pickLit } from "@/features/media/card-video";

test("of what is in sight the one nearest to the middle is lit, and never two", () => {
  const seen = new Map([
    ["above", { ratio: 1, distance: 300 }],
    ["middle", { ratio: 0.7, distance: 40 }],
    ["half gone", { ratio: 0.5, distance: 10 }],
  ]);
  expect(pickLit(seen)).toBe("middle");
  seen.delete("middle");
  expect(pickLit(seen)).toBe("above");
});

test("nothing is lit where nothing is in sight enough", () => {
  expect(pickLit(new Map([["edge", { ratio: 0.3, distance: 5 }]]))).toBeNull();
  expect(pickLit(new Map())).toBeNull();
});
