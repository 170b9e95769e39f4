import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import { applyChanges, writeRecords } from "@/data/engine/apply";

const photo = (id: string, seq: number, file = "p.jpg") => ({ id, userId: "u", file, seq });

async function begin() {
  const { replica } = await openTestReplica();
  const seqs = async () =>
    Object.fromEntries((await replica.media.find().exec()).map(({ id, seq }) => [id, seq]));
  return { replica, seqs };
}

test("of several writers at once the newest row stays, whoever comes last", async () => {
  const { replica, seqs } = await begin();
  await writeRecords(replica, "media", [photo("a", 1)]);
  const writes = [3, 9, 5, 7].map((seq) => writeRecords(replica, "media", [photo("a", seq)]));
  await Promise.all(writes);
  expect(await seqs()).toEqual({ a: 9 });
});

test("a page with new, newer and older rows writes the first two, and says so", async () => {
  const { replica, seqs } = await begin();
  await writeRecords(replica, "media", [photo("newer", 1, "old.jpg"), photo("older", 8)]);
  const documents = [photo("new", 2), photo("newer", 3, "new.jpg"), photo("older", 4, "x.jpg")];
  const applied = await applyChanges(replica, { media: { documents, deleted: ["unknown"] } });
  expect(await seqs()).toEqual({ new: 2, newer: 3, older: 8 });
  expect(applied).toMatchObject({
    written: { media: ["new", "newer"] },
    goneFiles: ["/api/files/media/newer/old.jpg"],
    removed: { media: [] },
    changed: true,
  });
  const again = await applyChanges(replica, { media: { documents, deleted: [] } });
  expect(again).toMatchObject({ written: { media: [] }, goneFiles: [], changed: false });
});

test("a row that was evicted a moment ago comes back with the number it had", async () => {
  const { replica, seqs } = await begin();
  await writeRecords(replica, "media", [photo("a", 4)]);
  await replica.media.bulkRemove(["a"]);
  expect(await writeRecords(replica, "media", [photo("a", 4)])).toEqual(["a"]);
  expect(await seqs()).toEqual({ a: 4 });
});
