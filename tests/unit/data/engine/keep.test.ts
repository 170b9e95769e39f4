import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import { keepIntents } from "@/data/engine/keep";
import type { Intent } from "@/data/engine/noun";
import { readRows } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { media, outboxRow } from "./rows";

const ids = { commentId: "c00000000000001", mediaId: "m00000000000001" };
const comment: Intent = {
  kind: "comment.create",
  body: { ...ids, userId: "me0000000000000", username: "me", text: "Lovely" },
};
const undone: Intent = { kind: "comment.delete", body: ids };
/** The server said that there is no such medium. */
const ended = { state: "acked", code: "gone" } as const;

async function begin(...intents: Intent[]) {
  const { replica, device } = await openTestReplica();
  const rows = intents.map((intent) => outboxRow(intent, ended));
  await replica.outbox.bulkInsert(rows);
  const pull = async (...gone: string[]) => {
    const settled = { rows: await readRows(replica, "acked"), undone: new Set(gone) };
    await keepIntents({ replica, device }, { settled, removed: new Set() }, 5_000);
  };
  const states = async () =>
    (await replica.outbox.find().exec()).map(({ kind, state }) => `${kind} ${state}`).sort();
  return { replica, rows, pull, states };
}

test("what was said about a medium that is gone is sent after all where the medium comes back", async () => {
  const { replica, pull, states } = await begin(comment);
  await pull();
  expect(await states()).toEqual(["comment.create kept"]);
  await replica.media.insert(media(ids.mediaId));
  await pull();
  expect(await states()).toEqual(["comment.create pending"]);
});

test("what others removed before this device had it is not kept for a restored server", async () => {
  const { replica, rows, pull, states } = await begin(comment);
  await replica.outbox.bulkUpsert(rows.map((row) => ({ ...row, code: "" as const })));
  await pull(rows[0]?.id ?? "");
  expect(await states()).toEqual([]);
});

test("what was taken back in the same moment does not come back with the medium", async () => {
  const { replica, pull, states } = await begin(comment, undone);
  await replica.media.insert(media(ids.mediaId));
  await pull();
  expect(await states()).toEqual(["comment.delete kept"]);
});

test("nor where its taking back is still on its way", async () => {
  const { replica, rows, pull, states } = await begin(comment, undone);
  await replica.outbox.bulkUpsert(rows.slice(1).map((row) => ({ ...row, state: "pending" })));
  await replica.media.insert(media(ids.mediaId));
  await pull();
  expect(await states()).toEqual(["comment.create kept", "comment.delete pending"]);
});

test("of two that were said one after the other the first goes first, though its end is known later", async () => {
  const second: Intent = {
    kind: "comment.create",
    body: { ...comment.body, commentId: "c00000000000002" },
  };
  const { replica, rows, pull, states } = await begin(comment, second);
  const setFirst = (state: OutboxRow["state"]) =>
    replica.outbox.bulkUpsert(rows.slice(0, 1).map((row) => ({ ...row, state })));
  await setFirst("sending");
  await replica.media.insert(media(ids.mediaId));
  await pull();
  await pull();
  expect(await states()).toEqual(["comment.create kept", "comment.create sending"]);
  await setFirst("acked");
  const queued: string[] = [];
  const watching = replica.outbox.$.subscribe(({ documentId, documentData }) => {
    if (documentData.state === "pending") queued.push(documentId);
  });
  await pull();
  watching.unsubscribe();
  expect(queued).toEqual(rows.map(({ id }) => id));
});

test("what was refused goes with its own deletion, and can no longer be tried again", async () => {
  const { replica, rows, pull, states } = await begin(comment, undone);
  const [refused] = rows.map((row) => ({
    ...row,
    state: "refused" as const,
    code: "blocked" as const,
  }));
  await replica.outbox.bulkUpsert(refused === undefined ? [] : [refused]);
  await pull();
  expect(await states()).toEqual(["comment.delete kept"]);
});
