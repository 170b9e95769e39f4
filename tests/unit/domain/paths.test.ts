import { expect, test } from "vitest";
import { paths } from "@/domain/paths";
import { idFromSlug } from "@/domain/slugs";

test("the address of a medium reads as its caption and leads back to its id", () => {
  const media = { id: "abc123def456ghi", caption: "Grüße vom Meer" };
  expect(paths.media(media)).toBe("/view/gruesse-vom-meer-abc123def456ghi");
  expect(idFromSlug(paths.media(media))).toBe(media.id);
});
