import { expect, test } from "vitest";
import { type ListWindow, openMemoryDevice } from "@/data/engine/device-store";
import { newestFirst } from "@/data/engine/rows";
import { deepestKey, limitWindows, mediaToEvict, windowOf } from "@/data/media/windows";

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
