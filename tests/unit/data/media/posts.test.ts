/** The grouping rule: what a list makes of media that belong to posts. */
import { created, media, outboxRow } from "@tests/unit/data/engine/rows";
import { mediaView } from "@tests/unit/state/support";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readOverlay } from "@/data/engine/overlay";
import { countEntries, groupPosts, mediaIn } from "@/data/media/posts";
import { mediaRow } from "@/data/media/row";
import { foldFeed } from "@/data/media/views";
import { NOUNS } from "@/data/nouns";
import type { FeedQuery, MediaView } from "@/data/shapes";

const POST = "post00000000001";
const view = (id: string, postIndex = 0, post = POST, more: Partial<MediaView> = {}) =>
  mediaView({ id, post, postIndex, ...more });
const alone = (id: string) => view(id, 0, "");
const idsOf = (list: readonly MediaView[]) => list.map(({ id }) => id);

describe("a list", () => {
  test("shows a post once, where the first of its media stands, by its first medium", () => {
    const list = groupPosts([alone("x"), view("c", 2), alone("y"), view("a", 0), view("b", 1)]);
    expect(idsOf(list)).toEqual(["x", "a", "y"]);
    expect(idsOf(list[1]?.members ?? [])).toEqual(["a", "b", "c"]);
  });

  test("shows what is left of a post, and the last one of it as a medium by itself", () => {
    expect(idsOf(groupPosts([view("c", 7), view("b", 3)]))).toEqual(["b"]);
    const [last] = groupPosts([view("c", 7)]);
    expect(last).toEqual(view("c", 7));
    expect(last).not.toHaveProperty("members");
  });

  test("does not join media of two people under one post", () => {
    const other = view("b", 1, POST, { userId: "somebody0000000" });
    expect(idsOf(groupPosts([view("a"), other]))).toEqual(["a", "b"]);
  });

  test("loses none, doubles none, and counts as many entries as it makes", () => {
    const rows = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1 }),
        post: fc.constantFrom("", "p", "q"),
        at: fc.nat(9),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(rows, (all) => {
        const list = all.map(({ id, post, at }) => view(id, at, post));
        const grouped = groupPosts(list);
        expect(idsOf(mediaIn(grouped)).sort()).toEqual(idsOf(list).sort());
        expect(countEntries(list)).toBe(grouped.length);
        for (const { members = [] } of grouped) {
          const places = members.map(({ postIndex }) => postIndex);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
      }),
    );
  });
});

describe("the feed", () => {
  const query: FeedQuery = { filter: "all", sort: "latest", limit: 2 };
  const row = (id: string, postIndex: number, createdAt: number, more = {}) =>
    media(id, { post: POST, postIndex, createdAt, ...more });
  const fold = (rows: ReturnType<typeof media>[], intents: ReturnType<typeof outboxRow>[] = []) =>
    foldFeed(rows, query, {
      overlay: readOverlay(NOUNS, intents, {
        offline: false,
        needsLogin: false,
        progress: new Map(),
      }),
      likes: new Set(),
      address: (path) => path,
      blobUrl: (key) => key,
    });
  const NOW = 1_700_000_000_000;

  test("counts entries, so that a post leaves room for others", () => {
    const rows = [row("b", 1, NOW), row("a", 0, NOW - 1), media("x", { createdAt: NOW - 2 })];
    const page = fold(rows);
    expect(idsOf(page.items)).toEqual(["a", "x"]);
    expect(page.hasMore).toBe(true);
    expect(fold(rows.slice(0, 2)).hasMore).toBe(false);
  });

  test("adds what is queued of a post to what has come, and takes out what is being deleted", () => {
    const queued = outboxRow(created("c", { post: POST, postIndex: 2, userId: "owner0000000000" }));
    const gone = outboxRow({ kind: "media.delete", body: { mediaId: "a" } });
    const [entry] = fold([row("b", 1, NOW), row("a", 0, NOW)], [queued, gone]).items;
    expect(idsOf(entry?.members ?? [])).toEqual(["b", "c"]);
    expect(entry?.members?.[1]?.pending).not.toBeNull();
  });

  test("shows an upload that an earlier version queued as a medium by itself", () => {
    const [entry] = fold([], [outboxRow(created("old"))]).items;
    expect(entry).toMatchObject({ id: "old", post: "", postIndex: 0 });
  });

  test("a record of a server that knows no posts is a medium by itself", () => {
    expect(mediaRow({ id: "a", file: "a.jpg" })).toMatchObject({ post: "", postIndex: 0 });
  });
});
