import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test, vi } from "vitest";
import { dropIntents } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { created, outboxRow } from "./rows";

test("a row that is written to in the same moment goes all the same, with its file", async () => {
  const { replica, device } = await openTestReplica();
  const files = { file: "mine/file", thumbnail: "", preview: "" };
  await device.putBlob("mine/file", new Blob(["picture"]));
  const doc = await replica.outbox.insert(outboxRow(created("mine", { files })));
  const row = doc.toJSON() as OutboxRow;
  const { storageInstance } = replica.outbox;
  const bulkWrite = storageInstance.bulkWrite.bind(storageInstance);
  const write = vi.spyOn(storageInstance, "bulkWrite");
  // The removal has read the row by now; what the sender writes reaches the storage before it.
  write.mockImplementationOnce(async (rows, context) => {
    const previous = structuredClone(doc.toMutableJSON(true)) as typeof doc._data;
    const document = { ...previous, attempts: 1, _rev: "2-sender" };
    await bulkWrite([{ previous, document }], "sender");
    return bulkWrite(rows, context);
  });
  await dropIntents(replica, device, [row]);
  expect(await replica.outbox.findOne(row.id).exec()).toBeNull();
  expect(await device.readBlob("mine/file")).toBeNull();
  expect(write).toHaveBeenCalledTimes(2);
});

test("a write that began before the removal, in another tab, does not bring the row back", async () => {
  const { replica, device } = await openTestReplica();
  const doc = await replica.outbox.insert(outboxRow(created("mine")));
  const previous = structuredClone(doc.toMutableJSON(true)) as typeof doc._data;
  await dropIntents(replica, device, [doc.toJSON() as OutboxRow]);
  const document = { ...previous, state: "sending" as const, _rev: "9-late" };
  await replica.outbox.storageInstance.bulkWrite([{ previous, document }], "late");
  expect(await replica.outbox.findOne(doc.id).exec()).toBeNull();
});

test("nothing that was written stays on the disk", async () => {
  const { replica, device } = await openTestReplica();
  const doc = await replica.outbox.insert(outboxRow(created("mine", { title: "My own words" })));
  await dropIntents(replica, device, [doc.toJSON() as OutboxRow]);
  const [left] = await replica.outbox.storageInstance.findDocumentsById([doc.id], true);
  expect(left).toMatchObject({ _deleted: true, body: {} });
  expect(JSON.stringify(left)).not.toContain("My own words");
});
