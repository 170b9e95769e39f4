import fc from "fast-check";
import { expect, test } from "vitest";
import { ID_PATTERN } from "@/domain/ids";
import { idFromSlug, mediaSlug, pathOfLink, paths, slugFromCaption } from "@/domain/paths";

test("the address of a medium reads as its caption and leads back to its id", () => {
  const media = { id: "abc123def456ghi", caption: "Grüße vom Meer" };
  expect(paths.media(media)).toBe("/view/gruesse-vom-meer-abc123def456ghi");
  expect(idFromSlug(paths.media(media))).toBe(media.id);
});

const id = "abc123def456ghi";

test.each([
  ["Sunset over the Sea", "sunset-over-the-sea"],
  ["Grüße aus Österreich, Straße!", "gruesse-aus-oesterreich-strasse"],
  ["Ünïcödé café", "uenicoede-cafe"],
  ["  --  spaced  --  ", "spaced"],
  ["😀🎉", ""],
  ["", ""],
  ["<script>alert(1)</script>", "script-alert-1-script"],
  ["a".repeat(80), "a".repeat(50)],
  [`${"a".repeat(49)} b`, "a".repeat(49)],
])("the caption %j becomes %j", (caption, slug) => {
  expect(slugFromCaption(caption)).toBe(slug);
});

test("a caption that leaves nothing gives the id alone", () => {
  expect(mediaSlug({ id, caption: "😀" })).toBe(id);
  expect(idFromSlug(id)).toBe(id);
});

test("every medium is found again from its slug, whatever the caption", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (caption) => {
      const slug = mediaSlug({ id, caption });
      expect(idFromSlug(slug)).toBe(id);
      expect(id).toMatch(ID_PATTERN);
      expect(encodeURIComponent(slug)).toBe(slug);
      expect(slugFromCaption(caption).length).toBeLessThanOrEqual(50);
    }),
  );
});

test.each([
  ["web+augenblick:view/harbour-abc123def456ghi", "/view/harbour-abc123def456ghi"],
  ["web+augenblick:///user/ben", "/user/ben"],
  ["WEB+AUGENBLICK:/?q=%23tag", "/?q=%23tag"],
  ["web+augenblick:", "/"],
  ["web+augenblick://example.com/", "/example.com/"],
  ["web+augenblick:/\\/example.com", "/example.com"],
  ["web+augenblick:\t//example.com", "/example.com"],
  ["https://example.com/", "/"],
  ["javascript:alert(1)", "/"],
  ["", "/"],
])("a link of our scheme, %j, leads to %j here", (link, path) => {
  expect(pathOfLink(link)).toBe(path);
});
