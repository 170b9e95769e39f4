import golden from "@tests/contract/intents.json";
import { expect, test } from "vitest";
import type { Intent } from "@/data/engine/noun";
import { type OutboxFacts, outboxView } from "@/data/engine/outbox-view";
import { NOUNS } from "@/data/nouns";
import { kindKey } from "@/i18n/intent-texts";
import { created, outboxRow } from "./rows";

const ME = "me0000000000000";
const OTHER = "other0000000000";
const facts: OutboxFacts = {
  context: { offline: false, needsLogin: false, progress: new Map() },
  userId: ME,
  subjects: new Map([
    ["media0000000000", { name: "Old harbour", picture: "/harbour.jpg" }],
    [OTHER, { name: "bob", picture: "" }],
  ]),
  blobUrl: (key) => (key === "" ? "" : `blob:${key}`),
};
const named = (text: string): string =>
  text
    .replaceAll("{media}", "media0000000000")
    .replaceAll("{theirs}", "media0000000000")
    .replaceAll("{chat}", [ME, OTHER].sort().join("_"))
    .replaceAll("{other}", OTHER)
    .replaceAll("{me}", ME);
const known = golden.map(
  ({ kind, body }) => ({ kind, body: JSON.parse(named(JSON.stringify(body))) }) as Intent,
);
const viewOf = (intent: Intent) => outboxView(NOUNS, [outboxRow(intent)], facts).items[0];

test.each(known.filter(({ kind }) => kind !== "view.record"))(
  "a $kind has a name of its own, and says what it is about",
  (intent) => {
    const view = viewOf(intent);
    if (view === undefined) throw new Error("not shown");
    expect(kindKey(view)).not.toBe("outbox.kind.other");
    if ("mediaId" in intent.body) {
      expect(view).toMatchObject({ about: "Old harbour", thumbnailUrl: "/harbour.jpg" });
    } else if (["otherId", "conversationId", "targetId"].some((name) => name in intent.body)) {
      expect(view.about).toBe("bob");
    } else {
      expect(view.about).toBe("");
    }
  },
);

test("a like and its taking back are not called the same", () => {
  const like = (on: boolean): Intent => ({
    kind: "like.set",
    body: { mediaId: "media0000000000", userId: ME, on },
  });
  const keys = [true, false].map((on) => kindKey(viewOf(like(on)) ?? { kind: "", undoes: false }));
  expect(keys).toEqual(["outbox.kind.like", "outbox.kind.unlike"]);
});

test("an upload shows its own picture and caption, or its file's name", () => {
  const files = { file: "f", thumbnail: "t", preview: "" };
  const view = (change: Record<string, unknown>) =>
    viewOf(created("media0000000000", { files, ...change }));
  expect(view({ caption: "Pier" })).toMatchObject({
    label: "Pier",
    about: "",
    thumbnailUrl: "blob:t",
  });
  expect(view({})).toMatchObject({ label: "a.jpg" });
});

test("what this device never saw is shown by its kind alone", () => {
  const intent: Intent = {
    kind: "follow.set",
    body: { userId: ME, otherId: "stranger0000000", on: true },
  };
  expect(viewOf(intent)).toMatchObject({ label: "", about: "", thumbnailUrl: "" });
});

test("views are not shown, and what is acknowledged neither; bytes and counts are of the rest", () => {
  const rows = [
    outboxRow(created("one"), { bytes: 10 }),
    outboxRow(created("two"), { bytes: 20, state: "refused", code: "quota" }),
    outboxRow(created("three"), { bytes: 40, state: "acked" }),
    outboxRow({ kind: "view.record", body: { mediaId: "one", session: "s" } }),
  ];
  const view = outboxView(NOUNS, rows, facts);
  expect(view).toMatchObject({ ready: true, failed: false, waiting: 1, refused: 1, bytes: 30 });
  expect(view.items.map(({ state }) => state)).toEqual(["queued", "refused"]);
});
