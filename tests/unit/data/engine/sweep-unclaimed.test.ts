import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import { sweepUnclaimed } from "@/data/engine/room";
import { created, outboxRow } from "./rows";

const HOUR = 60 * 60_000;
const file = new Blob(["picture"], { type: "image/jpeg" });

async function deviceWith(...keys: string[]) {
  const { replica, device } = await openTestReplica();
  for (const key of keys) await device.putBlob(key, file);
  const sweep = (at: number) => sweepUnclaimed({ replica, device, now: () => at });
  return { replica, device, sweep };
}

test("a file that no row names goes at the second start, an hour later at the earliest", async () => {
  const { device, sweep } = await deviceWith("lost/file");
  await sweep(HOUR);
  await sweep(2 * HOUR - 1);
  expect(await device.blobKeys()).toEqual(["lost/file"]);
  await sweep(2 * HOUR);
  expect(await device.blobKeys()).toEqual([]);
});

test.each(["pending", "sending", "paused", "refused", "acked", "kept"] as const)(
  "the file of a row that is %s stays",
  async (state) => {
    const { replica, device, sweep } = await deviceWith("mine/file");
    const files = { file: "mine/file", thumbnail: "", preview: "" };
    await replica.outbox.insert(outboxRow(created("mine", { files }), { state }));
    for (const hour of [1, 2, 3]) await sweep(hour * HOUR);
    expect(await device.blobKeys()).toEqual(["mine/file"]);
  },
);

test("a file whose row comes after the first look stays", async () => {
  const { replica, device, sweep } = await deviceWith("late/file");
  await sweep(HOUR);
  const files = { file: "late/file", thumbnail: "", preview: "" };
  await replica.outbox.insert(outboxRow(created("late", { files })));
  for (const hour of [2, 3]) await sweep(hour * HOUR);
  expect(await device.blobKeys()).toEqual(["late/file"]);
});

test("nothing goes while a row of another version may name it", async () => {
  const { replica, device, sweep } = await deviceWith("unknown/file");
  const row = outboxRow(created("unknown"));
  await replica.outbox.insert({ ...row, kind: "album.create" });
  for (const hour of [1, 2, 3]) await sweep(hour * HOUR);
  expect(await device.blobKeys()).toEqual(["unknown/file"]);
});
