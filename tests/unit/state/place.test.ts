import { beforeEach, expect, test, vi } from "vitest";
import type { MediaView } from "@/data/shapes";
import {
  forgetInList,
  mediumAtHand,
  neighboursOf,
  OPENED_MEDIA_KEY,
  openedMediaId,
  PLACE_KEY,
  rememberCard,
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

test("a page begins with what its card knew, unless that has lost the file's address", () => {
  const card = { id: "media0000000001", caption: "By the sea", url: "/a.jpg" } as MediaView;
  rememberCard(card);
  expect(openedMediaId("by-the-sea-media0000000001")).toBe(card.id);
  expect(mediumAtHand(card.id)).toBe(card);
  expect(mediumAtHand("media0000000002")).toBeNull();
  rememberCard({ ...card, url: "" });
  expect(mediumAtHand(card.id)).toBeNull();
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

test("a post is stepped through in its own order, then the list around it goes on", () => {
  const [a, p, q, r, z] = ["a", "p", "q", "r", "z"].map((id) => ({ id, caption: "" }));
  if (!a || !p || !q || !r || !z) throw new Error("unreachable");
  shownList.items = [a, { ...p, members: [p, q] }, z];
  rememberList("q");
  expect(neighboursOf("q")).toMatchObject({ previous: { id: "p" }, next: { id: "z" } });
  // One of the post that was not in the list.
  const members = [p, q, r];
  const steps = members.map(({ id }) => neighboursOf(id, members));
  expect(steps.map(({ previous }) => previous?.id)).toEqual(["a", "p", "q"]);
  expect(steps.map(({ next }) => next?.id)).toEqual(["q", "r", "z"]);
  forgetInList("p");
  expect(neighboursOf("q", [q, r])).toMatchObject({ previous: { id: "a" }, next: { id: "r" } });
});

test("a post that is opened by its address has its own media beside it, and no others", () => {
  const members = ["p", "q"].map((id) => ({ id, caption: "By the sea" }));
  expect(neighboursOf("p", members)).toEqual({
    previous: null,
    next: { id: "q", slug: "by-the-sea-q" },
  });
  expect(neighboursOf("q", members).next).toBeNull();
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
