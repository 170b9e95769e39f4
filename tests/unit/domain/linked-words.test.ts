import { expect, test } from "vitest";
import { linkParts } from "@/domain/linked-words";
import { mentionsOf } from "@/domain/words";

const links = (text: string) => linkParts(text).filter(({ href }) => href !== null);

test.each([
  ["See https://example.com/a?b=1.", "https://example.com/a?b=1", "https://example.com/a?b=1"],
  ["(http://example.com)", "http://example.com", "http://example.com/"],
  ["www.example.com!", "www.example.com", "https://www.example.com/"],
  [
    "https://en.wikipedia.org/wiki/Eye_(disambiguation)",
    "https://en.wikipedia.org/wiki/Eye_(disambiguation)",
    "https://en.wikipedia.org/wiki/Eye_(disambiguation)",
  ],
])("%s becomes a link that ends where the address does", (text, shown, href) => {
  expect(links(text)).toEqual([{ text: shown, href, isOutside: true }]);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<b>x</b>",
  "https://google.com@evil.example/",
  "https://user:pass@example.com/",
  "https://localhost/",
  "https://",
  "example.com",
])("%s stays plain text", (text) => {
  expect(links(text)).toEqual([]);
});

test("signs that turn the direction of a text end an address", () => {
  expect(links("https://example.com/\u202egnp.exe")).toEqual([
    { text: "https://example.com/", href: "https://example.com/", isOutside: true },
  ]);
});

test.each([
  "",
  "plain",
  "a https://x.example b www.y.example c",
  "https://x.example\nhttps://x.example",
])("no word of a text is lost or added: %j", (text) => {
  expect(
    linkParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

const words = (text: string) =>
  linkParts(text)
    .flatMap((part) => (part.isOutside ? [] : [[part.text, part.href]]))
    .filter(([, href]) => href);

test.each([
  ["with @Ada_99.", [["@Ada_99", "/user/Ada_99"]]],
  [
    "@ada, (@ben-b) “@c.d”",
    [
      ["@ada", "/user/ada"],
      ["@ben-b", "/user/ben-b"],
      ["@c.d", "/user/c.d"],
    ],
  ],
  [
    "#Küste #日本 #a_1",
    [
      ["#Küste", "/tag/K%C3%BCste"],
      ["#日本", "/tag/%E6%97%A5%E6%9C%AC"],
      ["#a_1", "/tag/a_1"],
    ],
  ],
  [
    "with @ada on #tour!",
    [
      ["@ada", "/user/ada"],
      ["#tour", "/tag/tour"],
    ],
  ],
])("names and tags of %j lead to people and to their media", (text, found) => {
  expect(words(text)).toEqual(found);
});

test.each([
  "ada@example.com",
  "https://social.example/@ada",
  "https://x.example/#part",
  "@ab",
  `@${"a".repeat(65)}`,
  "@ ada # tag",
  "#1 and #2026",
  `#${"a".repeat(51)}`,
  "a#b &#39; ##x",
  "@@ada",
])("%j names nobody and no tag", (text) => {
  expect(words(text)).toEqual([]);
});

test("of a thousand tags the first hundred lead somewhere, and no word is lost", () => {
  const text = Array.from({ length: 1_000 }, (_, i) => `#t${i}`).join(" ");
  const parts = linkParts(text);
  expect(parts.filter(({ href }) => href !== null)).toHaveLength(100);
  expect(parts.length).toBeLessThan(202);
  expect(parts.map((part) => part.text).join("")).toBe(text);
});

test("those named are told once each, ten at most, however they are written", () => {
  expect(mentionsOf("@Ada @ada and @Ben. Not eve@example.com, nor https://x.example/@eve")).toEqual(
    ["ada", "ben"],
  );
  const storm = Array.from({ length: 1_000 }, (_, i) => `@name${i}`).join(" ");
  expect(mentionsOf(storm)).toEqual(Array.from({ length: 10 }, (_, i) => `name${i}`));
});
