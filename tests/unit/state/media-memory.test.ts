import { expect, test } from "vitest";
import { OPENED_MEDIA_KEY, openedMediaId, rememberOpened } from "@/state/media-memory";
import { memoryStorage } from "./support";

test("the stored id counts only for the address it was opened under", () => {
  const store = memoryStorage();
  rememberOpened("by-the-sea-abc", "stored000000001", store);
  expect(openedMediaId("by-the-sea-abc", store)).toBe("stored000000001");
  expect(openedMediaId("another-xyz", store)).toBe("xyz");
});

test("without a stored one the last piece of the slug, or all of it, is the id", () => {
  const store = memoryStorage();
  expect(openedMediaId("a-b-c-id1", store)).toBe("id1");
  expect(openedMediaId("id1", store)).toBe("id1");
  store.setItem(OPENED_MEDIA_KEY, "not json");
  expect(openedMediaId("a-id2", store)).toBe("id2");
});
