import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test } from "vitest";
import { writeRecords } from "@/data/engine/apply";
import { type ListWindow, openMemoryDevice } from "@/data/engine/device-store";
import { newestFirst } from "@/data/engine/rows";
import { deepestKey, evictMedia, limitWindows, mediaToEvict, windowOf } from "@/data/media/windows";
import { PAGE_SIZE } from "@/domain/limits";

const row = (id: string, createdAt: number, userId = "other") => ({ id, userId, createdAt });
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

test("those never shown go first, the oldest before, then those longest not shown; own and kept ones never", () => {
  const rows = [
    row("a", 1),
    row("b", 2),
    row("c", 3),
    row("d", 4),
    row("mine", 0, "me"),
    row("saved", 0),
  ];
  const stays = { ownerId: "me", kept: new Set(["saved"]) };
  const shown = new Map([
    ["a", 100],
    ["c", 50],
  ]);
  const going = (most: number) => idsOf(mediaToEvict(rows, shown, stays, most));
  expect(going(6)).toEqual([]);
  expect(going(5)).toEqual(["b"]);
  expect(going(3)).toEqual(["b", "d", "c"]);
  expect(going(0)).toEqual(["b", "d", "c", "a"]);
});

test("a list ends where rows were evicted, however deep it reached before", async () => {
  const device = openMemoryDevice();
  const { windows$ } = device;
  await device.changeWindows(
    () =>
      new Map<string, ListWindow>([
        [" all", "end"],
        [" photos", { createdAt: "2026-01-01 00:00:00.000Z", id: "deep" }],
        [" videos", { createdAt: "2026-09-01 00:00:00.000Z", id: "flat" }],
      ]),
  );
  const at = Date.parse("2026-05-01T12:00:00.000Z");
  await limitWindows(device, { createdAt: at, id: "gone" });
  const gone = { createdAt: "2026-05-01 12:00:00.000Z", id: "gone" };
  expect(windowOf(windows$.value, { filter: "all" })).toEqual(gone);
  expect(windowOf(windows$.value, { filter: "photos" })).toEqual(gone);
  expect(windowOf(windows$.value, { filter: "videos" })).toMatchObject({ id: "flat" });
  expect(deepestKey(windowOf(windows$.value, { filter: "all" }))).toBe(newestFirst(at));
  expect(deepestKey(windowOf(windows$.value, { filter: "all", userId: "unknown" }))).toBeNull();
});

test("what others said goes with the media that are evicted; one's own words stay", async () => {
  const { replica, device } = await openTestReplica();
  const made = 1_700_000_000_000;
  const media = Array.from({ length: PAGE_SIZE + 2 }, (_, n) => ({
    ...{ id: `m${n}`, userId: "other", file: `m${n}.jpg`, type: "photo" },
    ...{ createdAt: made + n * 1000, seq: n + 1 },
  }));
  await writeRecords(replica, "media", media);
  const said = (id: string, mediaId: string, userId: string) => ({
    ...{ id, mediaId, userId, username: userId, text: "A word", createdAt: made, seq: 100 },
  });
  const words = [
    said("gone", "m1", "other"),
    said("mine", "m0", "me"),
    said("here", "m2", "other"),
    said("elsewhere", "unknown", "other"),
  ];
  await writeRecords(replica, "comments", words);
  await evictMedia({ deps: { now: () => made }, replica, device, userId: "me" }, "asked");
  expect(await replica.media.count().exec()).toBe(PAGE_SIZE);
  const left = await replica.comments.find().exec();
  expect(left.map(({ id }) => id).sort()).toEqual(["elsewhere", "here", "mine"]);
});
