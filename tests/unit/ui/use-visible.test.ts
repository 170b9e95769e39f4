import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutMasonry, tallestCard } from "@/ui/masonry";
import { boxesBetween } from "@/ui/use-visible";

const shapes = fc.array(
  fc.record({
    width: fc.integer({ min: 0, max: 5000 }),
    height: fc.integer({ min: 0, max: 5000 }),
  }),
  { maxLength: 200 },
);

test("every box that touches the window is drawn, and few that do not", () => {
  fc.assert(
    fc.property(
      shapes,
      fc.constantFrom(1 as const, 2 as const),
      fc.nat(60_000),
      (list, columns, from) => {
        const size = { width: 366, columns };
        const boxes = layoutMasonry(list, size);
        const to = from + 844;
        const [first, end] = boxesBetween(boxes, { from, to }, tallestCard(size));
        boxes.forEach((box, i) => {
          const touches = box.top < to && box.top + box.height > from;
          if (touches) expect(i >= first && i < end).toBe(true);
        });
        expect(end - first).toBeLessThan(40);
      },
    ),
  );
});

test("nothing is drawn of an empty list", () => {
  expect(boxesBetween([], { from: -900, to: 1800 }, 500)).toEqual([0, 0]);
});
