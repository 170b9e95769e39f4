import { expect, test } from "vitest";
import {
  cardWidth,
  layoutMasonry,
  metaHeight,
  pictureHeight,
  ROW_GAP,
  TAGS_HEIGHT,
} from "@/ui/masonry";

const square = { width: 10, height: 10 };

test("each of two columns gets one, then the shorter takes the next", () => {
  const boxes = layoutMasonry([{ width: 10, height: 15 }, square, square, square], {
    width: 410,
    columns: 2,
  });
  expect(boxes.map((box) => box.lane)).toEqual([0, 1, 1, 0]);
  expect(boxes.map((box) => box.left)).toEqual([0, 210, 210, 0]);
  expect(boxes[2]?.top).toBe(200 + metaHeight(200) + ROW_GAP);
  expect(boxes[3]?.top).toBe(300 + metaHeight(200) + ROW_GAP);
});

test("two columns and their gap fill the width exactly, on a phone and on a desktop", () => {
  expect(cardWidth({ width: 366, columns: 2 }) * 2 + 10).toBe(366);
  expect(cardWidth({ width: 1012, columns: 2 }) * 2 + 20).toBe(1012);
});

test("one column is centred and not wider than a portrait can bear", () => {
  const [box] = layoutMasonry([square], { width: 1012, columns: 1 });
  expect(box).toMatchObject({ width: 640, left: 186, top: 0 });
});

test("panoramas and long screenshots are cropped, unknown shapes are square", () => {
  expect(pictureHeight(200, { width: 4000, height: 400 })).toBe(100);
  expect(pictureHeight(200, { width: 400, height: 4000 })).toBe(300);
  expect(pictureHeight(200, { width: 0, height: 0 })).toBe(200);
});

test("tags take one line more, however many, and nothing of the picture", () => {
  const [bare, none, one, many] = [
    {},
    { tags: [] },
    { tags: ["sea"] },
    { tags: ["a", "b", "c"] },
  ].map((more) => layoutMasonry([{ ...square, ...more }], { width: 410, columns: 2 })[0]);
  expect([bare?.height, none?.height]).toEqual([200 + metaHeight(200), 200 + metaHeight(200)]);
  expect([one?.height, many?.height]).toEqual(Array(2).fill(200 + metaHeight(200) + TAGS_HEIGHT));
  expect([bare?.picture, many?.picture]).toEqual([200, 200]);
});
