import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import { applyChanges } from "@/data/engine/apply";
import type { CacheName, Intent, Replica } from "@/data/engine/noun";
import { readRows } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { readIds } from "@/data/engine/pull";
import { beginRecovery } from "@/data/engine/recover";
import type { RawRecord } from "@/data/engine/rows";

import { created, media, outboxRow } from "./rows";

const tell = (replica: Replica, records: Partial<Record<CacheName, RawRecord>>) =>
  applyChanges(
    replica,
    Object.fromEntries(
      Object.entries(records).map(([name, record]) => [name, { documents: [record], deleted: [] }]),
    ),
  );

const like = (on: boolean): Intent => ({
  kind: "like.set",
  body: { mediaId: "m00000000000001", userId: "me0000000000000", on },
});

test.each(["acked", "sending", "pending"] as const)(
  "a like that was taken back is not taken back once more after a later one, %s by then",
  async (state) => {
    const { replica } = await openTestReplica();
    const off = outboxRow(like(false), { state: "kept" });
    const on = outboxRow(like(true), { state });
    await replica.outbox.bulkInsert([off, on]);
    const had = await readIds(replica);
    // The restored server has the like.
    const ask = async () => ({ state: "pulled" }) as const;
    const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
    const offer = await beginRecovery(deps, had);
    await offer(await readIds(replica));
    expect((await replica.outbox.findOne(off.id).exec())?.state).toBe("kept");
  },
);

test.each(["while the fresh pull comes", "while its row is asked for"])(
  "a like that was taken back is not taken back once more after one %s",
  async (when) => {
    const { replica } = await openTestReplica();
    const off = outboxRow(like(false), { state: "kept" });
    const on = outboxRow(like(true), { state: "acked" });
    await replica.outbox.insert(off);
    let likes = () => replica.outbox.insert(on);
    const ask = async () => {
      if (when === "while its row is asked for") await likes();
      likes = async () => on as never;
      return { state: "pulled" } as const;
    };
    const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
    const offer = await beginRecovery(deps, await readIds(replica));
    if (when === "while the fresh pull comes") await likes();
    await offer(await readIds(replica));
    expect((await replica.outbox.findOne(off.id).exec())?.state).toBe("acked");
  },
);

test("a description is offered again though the first try of the fresh pull was cut off", async () => {
  const { replica } = await openTestReplica();
  const id = "m00000000000001";
  const edit = outboxRow(
    { kind: "media.update", body: { mediaId: id, changes: { alt: "A heron" } } },
    { state: "kept" },
  );
  await replica.outbox.insert(edit);
  await replica.media.insert(media(id, { alt: "A heron" }));
  const ask = async () => ({ state: "pulled" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const none = async () => {
    const ids = await readIds(replica);
    ids.media.clear();
    return ids;
  };
  await beginRecovery(deps, await readIds(replica));
  // The list of that try told of the medium as the restored server has it.
  await replica.media.upsert(media(id, { alt: "" }));
  const offer = await beginRecovery(deps, await readIds(replica));
  expect(await offer(await none())).toMatchObject({ success: true });
  expect((await replica.outbox.findOne(edit.id).exec())?.state).toBe("pending");
});

test.each([
  ["that the restore took", "", "pending"],
  ["of which it has earlier ones", "old.vtt", "pending"],
  ["that it has", "new.vtt", "acked"],
] as const)("subtitles %s", async (_, file, state) => {
  const { replica } = await openTestReplica();
  const id = "m00000000000001";
  const body = { mediaId: id, changes: { subtitles: "WEBVTT" }, subtitlesName: "new.vtt" };
  const edit = outboxRow({ kind: "media.update", body }, { state: "acked" });
  await replica.outbox.insert(edit);
  await replica.media.insert(media(id, { subtitles: file }));
  const ask = async () => ({ state: "pulled" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const offer = await beginRecovery(deps, await readIds(replica));
  const none = await readIds(replica);
  none.media.clear();
  await offer(none);
  expect((await replica.outbox.findOne(edit.id).exec())?.state).toBe(state);
});

test("a description that was acknowledged before a sign-out is offered again with its upload", async () => {
  const { replica } = await openTestReplica();
  const body = { mediaId: "m00000000000001", changes: { alt: "A heron" } };
  const edit = outboxRow({ kind: "media.update", body }, { state: "acked" });
  await replica.outbox.insert(edit);
  const ask = async () => ({ state: "gone" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const offer = await beginRecovery(deps, await readIds(replica));
  await offer(await readIds(replica));
  expect((await replica.outbox.findOne(edit.id).exec())?.state).toBe("pending");
});

/** What waits in the lane of a chat after a fresh pull from a server that lost the chat. */
async function offerChat(had: boolean, change: Partial<OutboxRow> = {}, isDeleted = false) {
  const { replica } = await openTestReplica();
  const conversationId = "me0000000000000_you000000000000";
  const body = { messageId: "x00000000000001", conversationId, userId: "me0000000000000" };
  const text = outboxRow(
    { kind: "message.send", body: { ...body, text: "Hello", timestamp: 1 } },
    change,
  );
  await replica.outbox.insert(text);
  if (isDeleted) {
    const { messageId } = body;
    const undone = { kind: "message.delete", body: { messageId, conversationId } } as const;
    await replica.outbox.insert(outboxRow(undone, { state: "kept", code: "gone" }));
  }
  const ids = await readIds(replica);
  if (had) ids.conversations.add(conversationId);
  const ask = async () => ({ state: "gone" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const offer = await beginRecovery(deps, ids);
  await offer(await readIds(replica));
  const rows = await readRows(replica, "pending");
  return rows.map(({ kind, lane }) => [kind, lane === text.lane]);
}

test("a message that waits for a chat which the restored server lost goes behind that chat", async () => {
  expect(await offerChat(true)).toEqual([
    ["conversation.create", true],
    ["message.send", true],
  ]);
});

test("a message that the restored server refused for want of its chat goes behind it too", async () => {
  expect(await offerChat(true, { state: "refused", code: "not_found" })).toEqual([
    ["conversation.create", true],
    ["message.send", true],
  ]);
});

test("a message that it refused and the person deleted since stays unsent", async () => {
  const rows = await offerChat(true, { state: "refused", code: "no_conversation" }, true);
  expect(rows.map(([kind]) => kind)).not.toContain("message.send");
});

test("what it refused for another reason stays refused", async () => {
  expect(await offerChat(true, { state: "refused", code: "blocked" })).toEqual([]);
});

test("a chat that was gone before the restore is not begun anew for what waits in it", async () => {
  expect(await offerChat(false)).toEqual([["message.send", true]]);
});

test("a picture and what was read are offered again though the first try of the fresh pull was cut off", async () => {
  const { replica } = await openTestReplica();
  const [me, other] = ["me0000000000000", "other0000000000"];
  const chat = `${me}_${other}`;
  const picture: Intent = {
    kind: "profile.update",
    body: { userId: me, changes: {}, picture: "key", thumbnail: "" },
  };
  const reading: Intent = { kind: "conversation.read", body: { conversationId: chat } };
  await replica.outbox.bulkInsert(
    [picture, reading].map((intent) => outboxRow(intent, { state: "kept" })),
  );
  /** What the server shows: with all that was done, and as the backup has it. */
  const show = (isDone: boolean, seq: number) =>
    tell(replica, {
      profiles: { id: me, username: "ann", profilePicture: isDone ? "new.jpg" : "old.jpg", seq },
      conversations: { id: chat, unreadA: isDone ? 0 : 1, seq },
      messages: { id: "theirs000000000", conversationId: chat, senderId: other, read: isDone, seq },
    });
  const ask = async () => ({ state: "pulled" }) as const;
  const deps = { replica, ask, userId: me, random: Math.random, now: Date.now };
  await show(true, 1);
  await beginRecovery(deps, await readIds(replica));
  await show(false, 2);
  const offer = await beginRecovery(deps, await readIds(replica));
  await offer(await readIds(replica));
  const states = (await replica.outbox.find().exec()).map(({ kind, state }) => `${kind} ${state}`);
  expect(states.sort()).toEqual(["conversation.read pending", "profile.update pending"]);
});

test("nothing of it is offered where the server has it", async () => {
  const { replica } = await openTestReplica();
  const me = "me0000000000000";
  const picture: Intent = {
    kind: "profile.update",
    body: { userId: me, changes: { bio: "Hi" }, picture: "key", thumbnail: "" },
  };
  const row = outboxRow(picture, { state: "kept" });
  await replica.outbox.insert(row);
  const mine = { id: me, username: "ann", bio: "Hi", profilePicture: "new.jpg", seq: 1 };
  await tell(replica, { profiles: mine });
  const ask = async () => ({ state: "pulled" }) as const;
  const deps = { replica, ask, userId: me, random: Math.random, now: Date.now };
  await beginRecovery(deps, await readIds(replica));
  const offer = await beginRecovery(deps, await readIds(replica));
  await offer(await readIds(replica));
  expect((await replica.outbox.findOne(row.id).exec())?.state).toBe("acked");
});

test("an older edit is not offered again after a later one of the same", async () => {
  const { replica } = await openTestReplica();
  const id = "m00000000000001";
  const edit = (changes: { alt?: string; caption?: string }) =>
    outboxRow({ kind: "media.update", body: { mediaId: id, changes } }, { state: "acked" });
  const rows = [edit({ alt: "A heron" }), edit({ caption: "Dawn" }), edit({ alt: "An egret" })];
  await replica.outbox.bulkInsert(rows);
  // The last one came after the restore.
  await replica.media.insert(media(id, { alt: "An egret", caption: "" }));
  const ask = async () => ({ state: "pulled" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const offer = await beginRecovery(deps, await readIds(replica));
  const none = await readIds(replica);
  none.media.clear();
  await offer(none);
  const docs = await replica.outbox.findByIds(rows.map((row) => row.id)).exec();
  expect(rows.map((row) => docs.get(row.id)?.state)).toEqual(["acked", "pending", "acked"]);
});

test.each([
  ["was answered with 404", { state: "acked", code: "gone" }],
  ["is still on its way, and may not be allowed", { state: "pending" }],
] as const)("a comment is queued again though a deletion of its medium %s", async (_, deletion) => {
  const { replica } = await openTestReplica();
  const ids = { commentId: "c00000000000001", mediaId: "m00000000000001" };
  const comment = outboxRow(
    {
      kind: "comment.create",
      body: { ...ids, userId: "me0000000000000", username: "me", text: "Lovely" },
    },
    { state: "acked" },
  );
  const upload = outboxRow(created("m00000000000002"), { state: "acked" });
  const deletions = ["m00000000000001", "m00000000000002"].map((mediaId) =>
    outboxRow({ kind: "media.delete", body: { mediaId } }, deletion),
  );
  await replica.outbox.bulkInsert([comment, upload, ...deletions]);
  const ask = async () => ({ state: "gone" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const recover = await beginRecovery(deps, await readIds(replica));
  await recover(await readIds(replica));
  const docs = await replica.outbox.findByIds([comment.id, upload.id]).exec();
  expect([docs.get(comment.id)?.state, docs.get(upload.id)?.state]).toEqual(["pending", "acked"]);
});
