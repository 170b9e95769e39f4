import { expect, test } from "vitest";
import { storedNames } from "@/domain/stored-names";

test("stored files carry the owner and the time, and the extension that the bytes gave", () => {
  expect(storedNames("abc123def456ghi", 1_795_000_000_000, "gif")).toEqual({
    file: "abc123def456ghi_1795000000000.gif",
    thumbnail: "thumb_abc123def456ghi_1795000000000.jpg",
    preview: "preview_abc123def456ghi_1795000000000",
  });
});
