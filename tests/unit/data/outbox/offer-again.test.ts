import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import type { Intent } from "@/data/outbox/intents";
import { beginOffer } from "@/data/outbox/offer-again";
import { readRows } from "@/data/outbox/read-queue";
import { readIds } from "@/data/sync/pull-everything";
import { media, outboxRow } from "./rows";

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
    const offer = await beginOffer(deps, had);
    await offer(await readIds(replica));
    expect((await replica.outbox.findOne(off.id).exec())?.state).toBe("kept");
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
  await beginOffer(deps, await readIds(replica));
  // The list of that try told of the medium as the restored server has it.
  await replica.media.upsert(media(id, { alt: "" }));
  const offer = await beginOffer(deps, await readIds(replica));
  expect(await offer(await none())).toMatchObject({ success: true });
  expect((await replica.outbox.findOne(edit.id).exec())?.state).toBe("pending");
});

test("a description that was acknowledged before a sign-out is offered again with its upload", async () => {
  const { replica } = await openTestReplica();
  const body = { mediaId: "m00000000000001", changes: { alt: "A heron" } };
  const edit = outboxRow({ kind: "media.update", body }, { state: "acked" });
  await replica.outbox.insert(edit);
  const ask = async () => ({ state: "gone" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const offer = await beginOffer(deps, await readIds(replica));
  await offer(await readIds(replica));
  expect((await replica.outbox.findOne(edit.id).exec())?.state).toBe("pending");
});

/** What waits in the lane of a chat after a fresh pull from a server that lost the chat. */
async function offerChat(had: boolean) {
  const { replica } = await openTestReplica();
  const conversationId = "me0000000000000_you000000000000";
  const body = { messageId: "x00000000000001", conversationId, userId: "me0000000000000" };
  const text = outboxRow({ kind: "message.send", body: { ...body, text: "Hello", timestamp: 1 } });
  await replica.outbox.insert(text);
  const ids = await readIds(replica);
  if (had) ids.conversations.add(conversationId);
  const ask = async () => ({ state: "gone" }) as const;
  const deps = { replica, ask, userId: "me0000000000000", random: Math.random, now: Date.now };
  const offer = await beginOffer(deps, ids);
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

test("a chat that was gone before the restore is not begun anew for what waits in it", async () => {
  expect(await offerChat(false)).toEqual([["message.send", true]]);
});
