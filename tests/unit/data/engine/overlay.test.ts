import golden from "@tests/contract/intents.json";
import { describe, expect, test } from "vitest";
import type { Overlay } from "@/data/engine/noun";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { readOverlay } from "@/data/engine/overlay";
import { NOUNS } from "@/data/nouns";
import { foldProfile } from "@/data/people/views";
import { created, outboxRow } from "./rows";

const now = { offline: false, needsLogin: false, progress: new Map<string, number>() };
const chat = "chat";
const text = (messageId: string, change: Partial<OutboxRow> = {}): OutboxRow =>
  outboxRow(
    {
      kind: "message.send",
      body: { messageId, conversationId: chat, userId: "me", text: messageId, timestamp: 1 },
    },
    change,
  );
const profile = (
  changes: { username?: string; bio?: string },
  picture = "",
  change: Partial<OutboxRow> = {},
): OutboxRow =>
  outboxRow(
    { kind: "profile.update", body: { userId: "me", changes, picture, thumbnail: picture } },
    change,
  );
const overlayOf = (...rows: OutboxRow[]): Overlay => readOverlay(NOUNS, rows, now);

/** What an overlay says, without its empty parts. */
const said = (overlay: Overlay): string[] =>
  Object.entries(overlay).flatMap(([name, part]) => (part.size > 0 ? [name] : []));

describe("the overlay", () => {
  const forms = [
    created("media"),
    NOUNS.parse(profile({ bio: "New" })),
    NOUNS.parse(
      outboxRow({
        kind: "message.photo",
        body: {
          messageId: "m",
          conversationId: chat,
          userId: "me",
          text: "",
          timestamp: 1,
          contentType: "image/jpeg",
          originalFilename: "a.jpg",
          files: { file: "m/file", thumbnail: "" },
        },
      }),
    ),
  ];
  const intents = [
    ...golden.map(({ kind, body }) => NOUNS.parse({ kind, body: body as OutboxRow["body"] })),
    ...forms,
  ].flatMap((intent) => intent ?? []);

  test("knows every kind, and only views and reports change nothing that a person sees", () => {
    const silent = NOUNS.kinds.filter((kind) => {
      const intent = intents.find((one) => one.kind === kind);
      return intent === undefined || said(overlayOf(outboxRow(intent))).length === 0;
    });
    expect(silent).toEqual(["view.record", "report.create", "report.send"]);
  });

  test("of what was refused keeps what the person wrote, and drops every change", () => {
    const kept = intents.filter(
      (intent) => said(overlayOf(outboxRow(intent, { state: "refused" }))).length > 0,
    );
    expect(new Set(kept.map(({ kind }) => kind))).toEqual(
      new Set(["media.create", "comment.create", "message.send", "message.photo"]),
    );
  });
});

test("messages of a chat stand in the order in which they were written, with their marks", () => {
  const { messages } = overlayOf(text("one"), text("two", { state: "refused", code: "blocked" }));
  expect(messages.get(chat)?.map(({ body, mark }) => [body.text, mark.state, mark.code])).toEqual([
    ["one", "queued", null],
    ["two", "refused", "blocked"],
  ]);
});

describe("a profile with what is queued about it", () => {
  const view = {
    id: "me",
    username: "ann",
    bio: "Old",
    profilePictureUrl: "/old",
    profileThumbnailUrl: "/old-small",
    followers: 3,
    following: 0,
    mediaCount: 0,
    isBlocked: false,
    createdAt: 1,
    pending: null,
  };
  const context = { me: "me", blobUrl: (key: string) => `blob:${key}`, follows: () => false };

  test("shows the latest of each field and picture", () => {
    const overlay = overlayOf(
      profile({ bio: "First" }, "p1"),
      profile({ bio: "Second" }),
      profile({ username: "anna" }),
    );
    expect(foldProfile(view, overlay, context)).toMatchObject({
      username: "anna",
      bio: "Second",
      profilePictureUrl: "blob:p1",
      profileThumbnailUrl: "blob:p1",
    });
  });

  test("shows no picture where it is to be deleted, and the old row where a change was refused", () => {
    expect(foldProfile(view, overlayOf(profile({}, "delete")), context)).toMatchObject({
      bio: "Old",
      profilePictureUrl: "",
      profileThumbnailUrl: "",
    });
    const refused = overlayOf(profile({ bio: "No" }, "p1", { state: "refused" }));
    expect(foldProfile(view, refused, context)).toEqual(view);
  });

  test("counts a follow that waits once, and not again when the server has it", () => {
    const follow = outboxRow({
      kind: "follow.set",
      body: { userId: "you", otherId: "me", on: true },
    });
    const known = { ...context, follows: () => true };
    expect(foldProfile(view, overlayOf(follow), context).followers).toBe(4);
    expect(foldProfile(view, overlayOf(follow), known).followers).toBe(3);
  });

  test("counts one's own follows that wait among those one follows", () => {
    const follows = ["ann", "bob", "eve"].map((otherId) =>
      outboxRow({ kind: "follow.set", body: { userId: "me", otherId, on: otherId !== "eve" } }),
    );
    const known = { ...context, follows: (id: string) => id !== "ann" };
    expect(foldProfile({ ...view, following: 5 }, overlayOf(...follows), known).following).toBe(5);
    const mine = overlayOf(...follows.slice(0, 2));
    expect(foldProfile({ ...view, following: 5 }, mine, known).following).toBe(6);
    expect(foldProfile({ ...view, id: "you", following: 5 }, mine, known).following).toBe(5);
  });
});
