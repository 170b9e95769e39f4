import { expect, test } from "vitest";
import {
  captionLines,
  cardWidth,
  layoutMasonry,
  metaHeight,
  pictureHeight,
  ROW_GAP,
  TAGS_HEIGHT,
} from "@/ui/masonry";

const square = { width: 10, height: 10 };
/** Below the picture of a narrow card with a short caption. */
const META = metaHeight({ roomy: false, lines: 1 });

test("each of two columns gets one, then the shorter takes the next", () => {
  const boxes = layoutMasonry([{ width: 10, height: 15 }, square, square, square], {
    width: 410,
    columns: 2,
  });
  expect(boxes.map((box) => box.lane)).toEqual([0, 1, 1, 0]);
  expect(boxes.map((box) => box.left)).toEqual([0, 210, 210, 0]);
  expect(boxes[2]?.top).toBe(200 + META + ROW_GAP);
  expect(boxes[3]?.top).toBe(300 + META + ROW_GAP);
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
  expect([bare?.height, none?.height]).toEqual([200 + META, 200 + META]);
  expect([one?.height, many?.height]).toEqual(Array(2).fill(200 + META + TAGS_HEIGHT));
  expect([bare?.picture, many?.picture]).toEqual([200, 200]);
});

test("a caption that does not fit on one line gets two, in whatever script", () => {
  const card = (caption: string) =>
    layoutMasonry([{ ...square, caption }], { width: 366, columns: 2 })[0];
  expect(card("Evening by the sea")?.lines).toBe(1);
  expect(card("A long walk along the harbour, in the rain")?.lines).toBe(2);
  expect(card("A long walk along the harbour, in the rain")?.height).toBe(178 + META + 20);
  expect(captionLines("港の夕暮れを歩いて帰る道すがら", 178, 14)).toBe(2);
  expect(captionLines("港の夕暮れ", 178, 14)).toBe(1);
  expect(captionLines("WWWWWWWWWWWWWW", 178, 14)).toBe(2);
  expect(captionLines("illillillillill", 178, 14)).toBe(1);
});

test("text of twice the size makes room for itself, and one column of two where it must", () => {
  const at = (text: number, width = 366) =>
    layoutMasonry([square, square], { width, columns: 2, text });
  expect(at(1).map(({ lane }) => lane)).toEqual([0, 1]);
  expect(at(2).map(({ lane }) => lane)).toEqual([0, 0]);
  expect(at(2, 1012).map(({ lane }) => lane)).toEqual([0, 1]);
  expect(metaHeight({ roomy: true, lines: 1 }, 2)).toBe(8 + 40 + 72);
});
