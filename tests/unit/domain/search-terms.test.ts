import { expect, test } from "vitest";
import { foldText, searchableText, searchTerms } from "@/domain/search-terms";

test("case and accents do not matter", () => {
  expect(foldText("Küstenstraße")).toBe("kustenstrasse");
  expect(foldText("CAFÉ")).toBe(foldText("cafe\u0301"));
});

test("a text becomes its different words, without what nobody sees", () => {
  expect(searchTerms("  Sea\u0000 SEA\tlake\u200b ")).toEqual(["sea", "lake"]);
  expect(searchTerms("\u0000 # @ \n")).toEqual([]);
  expect(searchTerms("🌊 #Night")).toEqual(["🌊", "#night"]);
});

test("a very long text is cut, and not in the middle of a sign", () => {
  expect(searchTerms("🌊".repeat(1000))).toEqual(["🌊".repeat(40)]);
  expect(searchTerms("🌊 ".repeat(1000).concat("end"))).toEqual(["🌊"]);
  expect(searchTerms(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "))).toHaveLength(8);
});

test("a medium is found by caption, owner and tags, each tag behind its sign", () => {
  const text = searchableText({
    caption: "Über uns",
    username: "Ada.L",
    tags: ["Night Sky", "sea"],
  });
  expect(text.split("\n")).toEqual(["uber uns", "@ada.l", "#night sky", "#sea"]);
});
