import { expect, test } from "vitest";
import { linkParts } from "@/features/chat/linked-text";

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
  expect(links(text)).toEqual([{ text: shown, href }]);
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
    { text: "https://example.com/", href: "https://example.com/" },
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
