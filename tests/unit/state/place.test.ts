import { beforeEach, expect, test, vi } from "vitest";
import {
  forgetInList,
  neighboursOf,
  OPENED_MEDIA_KEY,
  openedMediaId,
  PLACE_KEY,
  rememberList,
  rememberOpened,
  shownList,
} from "@/state/place";
import { memoryStorage } from "./support";

let store: Storage;
beforeEach(() => {
  store = memoryStorage();
  vi.stubGlobal("sessionStorage", store);
  shownList.items = [];
  return () => void vi.unstubAllGlobals();
});

test("the stored id counts only for the address it was opened under", () => {
  rememberOpened("by-the-sea-abc", "stored000000001");
  expect(store.getItem("mediaId")).toBe('{"slug":"by-the-sea-abc","id":"stored000000001"}');
  expect(openedMediaId("by-the-sea-abc")).toBe("stored000000001");
  expect(openedMediaId("another-xyz")).toBe("xyz");
});

test("without a stored one the last piece of the slug, or all of it, is the id", () => {
  expect(openedMediaId("a-b-c-id1")).toBe("id1");
  expect(openedMediaId("id1")).toBe("id1");
  store.setItem(OPENED_MEDIA_KEY, "not json");
  expect(openedMediaId("a-id2")).toBe("id2");
});

test("the neighbours of a medium are those of the list it was opened from, without deleted ones", () => {
  shownList.items = ["a", "b", "c", "d"].map((id) => ({ id, caption: "" }));
  rememberList("b");
  shownList.items = [];
  rememberList("b");
  expect(neighboursOf("b")).toMatchObject({ previous: { id: "a" }, next: { id: "c" } });
  expect(neighboursOf("a").previous).toBeNull();
  forgetInList("c");
  expect(neighboursOf("b").next?.id).toBe("d");
  expect(neighboursOf("c")).toEqual({ previous: null, next: null });
});

test("entries of the stored list that are broken are left out", () => {
  store.setItem("mediaList", '[{"id":"a","slug":"a"},7,{"id":1,"slug":"x"},{"id":"b","slug":"b"}]');
  expect(neighboursOf("a")).toEqual({ previous: null, next: { id: "b", slug: "b" } });
  store.setItem("mediaList", "{");
  expect(neighboursOf("a")).toEqual({ previous: null, next: null });
});

const kept = { filter: "photos", sort: "popular", feed: null, found: null, tops: [["k", 900]] };

test.each([
  ["reload", { ...kept, feed: { key: "x", limit: 60 } }, "photos"],
  ["navigate", kept, undefined],
  ["reload", { ...kept, sort: "best" }, undefined],
  ["reload", { ...kept, tops: null }, undefined],
  ["reload", "broken", undefined],
])("after a %s with %j stored, the page starts with the filter %s", async (type, value, filter) => {
  store.setItem(PLACE_KEY, typeof value === "string" ? value : JSON.stringify(value));
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as never]);
  vi.resetModules();
  const { placeBefore } = await import("@/state/place");
  vi.restoreAllMocks();
  expect(placeBefore?.filter).toBe(filter);
});
