import { created, media, outboxRow } from "@tests/unit/data/engine/rows";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OverlayContext } from "@/data/engine/context";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { readOverlay } from "@/data/engine/overlay";
import type { MediaRow } from "@/data/media/row";
import { type FoldContext, foldFeed, foldMedia } from "@/data/media/views";
import { NOUNS } from "@/data/nouns";
import type { FeedQuery } from "@/data/shapes";

const now: OverlayContext = { offline: false, needsLogin: false, progress: new Map() };
const query: FeedQuery = { filter: "all", sort: "latest", limit: 30 };

function context(rows: OutboxRow[], likes: string[] = [], moment = now): FoldContext {
  return {
    overlay: readOverlay(NOUNS, rows, moment),
    likes: new Set(likes),
    address: (path) => (path === "" ? "" : `https://example.org${path}`),
    blobUrl: (key) => (key === "" ? "" : `blob:${key}`),
  };
}
const like = (mediaId: string, on: boolean, change: Partial<OutboxRow> = {}) =>
  outboxRow({ kind: "like.set", body: { mediaId, userId: "me", on } }, change);
const idsOf = (rows: MediaRow[], intents: OutboxRow[], asked = query) =>
  foldFeed(rows, asked, context(intents)).items.map((item) => item.id);

describe("a medium with what is queued about it", () => {
  test("a queued like counts once, and not again when the server has it", () => {
    const row = media("a", { likes: 5 });
    expect(foldMedia(row, context([like("a", true)]))).toMatchObject({ liked: true, likes: 6 });
    expect(foldMedia(row, context([like("a", true)], ["a"]))).toMatchObject({
      liked: true,
      likes: 5,
    });
    expect(foldMedia(row, context([like("a", false)], ["a"]))).toMatchObject({
      liked: false,
      likes: 4,
    });
    const none = media("a", { likes: 0 });
    expect(foldMedia(none, context([like("a", false)], ["a"])).likes).toBe(0);
  });

  test("the last of two toggles wins, and a refused one changes nothing", () => {
    const row = media("a", { likes: 1 });
    const both = [like("a", true), like("a", false)];
    expect(foldMedia(row, context(both))).toMatchObject({ liked: false, likes: 1 });
    const refused = [like("a", true, { state: "refused" })];
    expect(foldMedia(row, context(refused))).toMatchObject({ liked: false, likes: 1 });
  });

  test("queued comments and their deletion move the count, refused ones do not", () => {
    const said = (commentId: string, change: Partial<OutboxRow> = {}) =>
      outboxRow(
        {
          kind: "comment.create",
          body: { commentId, mediaId: "a", userId: "me", username: "me", text: "x" },
        },
        change,
      );
    const taken = (commentId: string) =>
      outboxRow({ kind: "comment.delete", body: { commentId, mediaId: "a" } });
    const row = media("a", { comments: 3 });
    expect(foldMedia(row, context([said("c1"), said("c2")])).comments).toBe(5);
    expect(foldMedia(row, context([said("c1", { state: "refused" })])).comments).toBe(3);
    expect(foldMedia(row, context([taken("old"), taken("old")])).comments).toBe(2);
    expect(foldMedia(row, context([said("c1"), taken("c1")])).comments).toBe(3);
    const none = media("a", { comments: 0 });
    expect(foldMedia(none, context([taken("old")])).comments).toBe(0);
  });

  test("a queued change of the caption shows, with its mark", () => {
    const change = outboxRow({
      kind: "media.update",
      body: { mediaId: "a", changes: { caption: "New" } },
    });
    const view = foldMedia(media("a", { caption: "Old", tags: ["x"] }), context([change]));
    expect(view).toMatchObject({ caption: "New", tags: ["x"], pending: { intentId: change.id } });
  });

  test("queued subtitles are said to be there, and those that go are not shown any more", () => {
    const url = "/api/files/media/a/old.vtt";
    const given = (subtitles: string) =>
      outboxRow({ kind: "media.update", body: { mediaId: "a", changes: { subtitles } } });
    const bare = media("a", { type: "video" });
    const add = foldMedia(bare, context([given("WEBVTT")]));
    expect(add).toMatchObject({ hasSubtitles: true, subtitlesUrl: "" });
    expect(add).not.toHaveProperty("subtitles");
    const had = media("a", { type: "video", subtitles: "old.vtt" });
    const shown = { hasSubtitles: true, subtitlesUrl: `https://example.org${url}` };
    expect(foldMedia(had, context([]))).toMatchObject(shown);
    const gone = { hasSubtitles: false, subtitlesUrl: "" };
    expect(foldMedia(had, context([given("")]))).toMatchObject(gone);
  });

  test("a photo without renditions shows its file, a video shows nothing in their place", () => {
    const url = "https://example.org/api/files/media/a/a.jpg";
    expect(foldMedia(media("a"), context([]))).toMatchObject({
      thumbnailUrl: url,
      previewUrl: url,
    });
    const video = foldMedia(media("a", { type: "video" }), context([]));
    expect(video).toMatchObject({ url, thumbnailUrl: "", previewUrl: "" });
  });
});

describe("the feed", () => {
  test("shows what is queued at once, from its blob, and the server's row once that came", () => {
    const row = outboxRow(created("mine"), { createdAt: 1_800_000_000_000 });
    const [item] = foldFeed([media("a")], query, context([row])).items;
    expect(item).toMatchObject({
      id: "mine",
      url: "blob:mine/file",
      thumbnailUrl: "blob:mine/file",
    });
    expect(item?.pending).toMatchObject({ state: "queued", intentId: row.id });
    const both = foldFeed(
      [media("mine"), media("a")],
      query,
      context([{ ...row, state: "acked" }]),
    );
    expect(both.items.map(({ id, pending }) => [id, pending])).toEqual([
      ["mine", null],
      ["a", null],
    ]);
  });

  test("keeps a refused upload in sight with its reason", () => {
    const row = outboxRow(created("mine"), { state: "refused", code: "quota" });
    const [item] = foldFeed([], query, context([row])).items;
    expect(item?.pending).toMatchObject({ state: "refused", code: "quota" });
  });

  test("hides what is being deleted, and shows it again when that is refused", () => {
    const remove = (state: OutboxRow["state"]) =>
      outboxRow({ kind: "media.delete", body: { mediaId: "a" } }, { state });
    expect(idsOf([media("a"), media("b")], [remove("pending")])).toEqual(["b"]);
    expect(idsOf([media("a")], [remove("refused")])).toEqual(["a"]);
    expect(idsOf([], [outboxRow(created("a")), remove("pending")])).toEqual([]);
  });

  test("puts queued media only where the filter and the person match", () => {
    const rows = [outboxRow(created("p")), outboxRow(created("v", { type: "video" }))];
    expect(idsOf([], rows, { ...query, filter: "videos" })).toEqual(["v"]);
    expect(idsOf([], rows, { ...query, userId: "somebody" })).toEqual([]);
  });

  test("says that there is more when as many came as were asked for", () => {
    const rows = [media("a"), media("b")];
    expect(foldFeed(rows, { ...query, limit: 2 }, context([])).hasMore).toBe(true);
    expect(foldFeed(rows, { ...query, limit: 3 }, context([])).hasMore).toBe(false);
  });
});

describe("the mark of what waits", () => {
  const stateOf = (change: Partial<OutboxRow>, moment: OverlayContext) =>
    foldFeed([], query, context([outboxRow(created("x"), change)], [], moment)).items[0]?.pending;

  test.each([
    ["is queued before its first try", {}, now, "queued"],
    ["waits without a connection", {}, { ...now, offline: true }, "waiting"],
    ["waits after a try that failed", { attempts: 1, code: "network" as const }, now, "waiting"],
    ["is paused while a sign-in is needed", {}, { ...now, needsLogin: true }, "paused"],
    ["is on its way", { state: "sending" as const }, now, "sending"],
  ])("%s", (_name, change, moment, state) => {
    expect(stateOf(change, moment)).toMatchObject({ state });
  });

  test("carries the percent of its upload, and 100 only after the server's yes", () => {
    const row = outboxRow(created("x"), { state: "sending" });
    const moment = { ...now, progress: new Map([[row.id, 42]]) };
    const progressOf = (change: Partial<OutboxRow>) =>
      foldFeed([], query, context([{ ...row, ...change }], [], moment)).items[0]?.pending?.progress;
    expect(progressOf({})).toBe(42);
    expect(progressOf({ state: "acked" })).toBe(100);
  });
});

const anyIntent = fc.oneof(
  fc
    .record({ id: fc.constantFrom("a", "b", "c", "d"), on: fc.boolean() })
    .map(({ id, on }) => like(id, on)),
  fc.constantFrom("a", "b", "c", "d").map((id) => outboxRow(created(id))),
  fc
    .constantFrom("a", "b", "c", "d")
    .map((id) => outboxRow({ kind: "media.delete", body: { mediaId: id } })),
);

test("whatever is queued, no medium stands twice, none is shown deleted, and no count is negative", () => {
  const stored = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
  fc.assert(
    fc.property(stored, fc.array(anyIntent, { maxLength: 12 }), stored, (ids, intents, likes) => {
      const page = foldFeed(
        ids.map((id) => media(id)),
        query,
        context(intents, likes),
      );
      const shown = page.items.map((item) => item.id);
      const deleted = intents.filter((row) => row.kind === "media.delete").map((row) => row.target);
      const expected = new Set([
        ...ids,
        ...intents.filter((row) => row.kind === "media.create").map((row) => row.target),
      ]);
      for (const id of deleted) expected.delete(id);
      expect([...shown].sort()).toEqual([...expected].sort());
      expect(page.items.every((item) => item.likes >= 0 && item.comments >= 0)).toBe(true);
    }),
  );
});
