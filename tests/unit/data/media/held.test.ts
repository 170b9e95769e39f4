import { FakeFeed } from "@tests/unit/data/engine/fake-feed";
import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { expect, test, vi } from "vitest";
import { noAnswer } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import { type PullDeps, pullFeed } from "@/data/engine/pull";
import type { RawRecord } from "@/data/engine/rows";
import { covers, windowFor } from "@/data/media/held";
import { MARKS_MAX, readWindow } from "@/domain/feed-window";

const idOf = (n: number): string => `m${String(n).padStart(14, "0")}`;
const timeOf = (n: number): number => 1_700_000_000_000 + n * 1000;
const row = (n: number) => ({ id: idOf(n), createdAt: timeOf(n), seq: n });

test("older rows are named by marks, and all from the end of the list on by its time", () => {
  const window = windowFor([row(9), row(3), row(1)], timeOf(7));
  expect(window).toEqual({ from: timeOf(7), marks: "003001" });
  for (const n of [1, 3, 7, 9]) expect(covers(window, row(n))).toBe(true);
  for (const n of [2, 6]) expect(covers(window, row(n))).toBe(false);
});

test("where too many are held to mark them, the window reaches down to those that are not", () => {
  const rows = Array.from({ length: MARKS_MAX + 2 }, (_, at) => row(990 - at));
  const window = windowFor(rows, timeOf(995));
  expect(window.from).toBe(rows[1]?.createdAt);
  expect(window.marks.length).toBe(3 * MARKS_MAX);
  expect(rows.every((each) => covers(window, each))).toBe(true);
  expect(readWindow({ from: String(window.from), marks: window.marks })).toEqual(window);
});

test("a window is refused that is too long, or none", () => {
  const from = String(timeOf(1));
  expect(readWindow({ from: "", marks: "" })).toBe("all");
  expect(readWindow({ from, marks: "" })).toEqual({ from: timeOf(1), marks: "" });
  const wrong = [
    { from, marks: "abc".repeat(MARKS_MAX + 1) },
    { from, marks: "ab" },
    { from, marks: "AB%" },
    { from: "", marks: "abc" },
    { from: "-1", marks: "" },
    { from: "1e3", marks: "" },
    { from: "999999999999999", marks: "" },
  ];
  for (const one of wrong) expect(readWindow(one)).toBe(null);
});

/** A device that has the media 1 to 9, and whose gallery ends at the sixth. */
async function begin() {
  const server = new FakeFeed();
  const { replica, device } = await openTestReplica();
  const request = vi.spyOn(server.remote, "request");
  const deps: PullDeps = {
    remote: server.remote,
    replica,
    device,
    userId: "me0000000000000",
    onApplied: vi.fn(),
    onStranger: vi.fn(),
  };
  for (let n = 1; n <= 9; n++) server.photo(idOf(n), { createdAt: timeOf(n), caption: "old" });
  await pullFeed(deps);
  await device.changeWindows(() => new Map([[" all", { createdAt: instantOf(6), id: idOf(6) }]]));
  const drop = (...numbers: number[]) => replica.media.bulkRemove(numbers.map(idOf));
  const edit = (n: number, fields = {}) =>
    server.photo(idOf(n), { createdAt: timeOf(n), caption: "new", ...fields });
  const caption = async (n: number) =>
    (await replica.media.findOne(idOf(n)).exec())?.caption ?? null;
  const recordOf = (n: number): RawRecord => ({
    ...server.rows.get("media")?.find(({ id }) => id === idOf(n)),
  });
  const listed = () => request.mock.calls.filter(([path]) => path.startsWith("/api/collections/"));
  const comment = (id: string, n: number, userId = "u") => {
    server.put("comments", id, { mediaId: idOf(n), userId, username: "u", text: "A word" });
    return { ...server.rows.get("comments")?.find((each) => each.id === id) };
  };
  const comments = async () => (await replica.comments.find().exec()).map(({ id }) => id).sort();
  return {
    ...{ server, deps, replica, device, drop, edit, caption, recordOf, request, listed },
    ...{ comment, comments },
  };
}

const instantOf = (n: number): string => new Date(timeOf(n)).toISOString().replace("T", " ");

test("what is not held is not brought when it changes, and the checkpoint goes on", async () => {
  const { server, deps, device, drop, edit, caption } = await begin();
  await drop(1, 2, 3);
  for (const n of [1, 2, 4, 7]) edit(n);
  edit(3, { userId: "me0000000000000" });
  server.photo(idOf(10), { createdAt: timeOf(10), caption: "new" });
  await pullFeed(deps);
  const captions = await Promise.all([1, 2, 3, 4, 5, 7, 10].map(caption));
  // The third is one's own, the fourth is held by its mark.
  expect(captions).toEqual([null, null, "new", "new", "old", "new", "new"]);
  expect(await device.readSync()).toEqual({ epoch: "one", checkpoint: server.seq });
});

test("comments on what is not held are not brought, but for one's own", async () => {
  const { server, deps, drop, comment, comments } = await begin();
  await drop(1, 2);
  await pullFeed(deps);
  comment("c1", 1);
  comment("c2", 2, "me0000000000000");
  comment("c4", 4);
  comment("c7", 7);
  await pullFeed(deps);
  expect(await comments()).toEqual(["c2", "c4", "c7"]);
  server.remove("comments", "c4");
  await drop(4);
  await pullFeed(deps);
  expect(await comments()).toEqual(["c2", "c7"]);
});

test("comments that were left out come when what they are on is compared, if it has others here", async () => {
  const { deps, replica, drop, edit, recordOf, comment, comments } = await begin();
  await drop(1, 2);
  await pullFeed(deps);
  const late = [recordOf(1), recordOf(2)];
  const known = comment("c1", 1);
  for (const [id, n] of [
    ["c2", 1],
    ["c3", 2],
  ] as const) {
    comment(id, n);
    edit(n);
  }
  await pullFeed(deps);
  expect(await comments()).toEqual([]);
  await writeRecords(replica, "media", late);
  await writeRecords(replica, "comments", [known]);
  await pullFeed(deps);
  expect(await comments()).toEqual(["c1", "c2"]);
});

test("deletions always come", async () => {
  const { server, deps, caption } = await begin();
  await pullFeed(deps);
  server.remove("media", idOf(2));
  await pullFeed(deps);
  expect(await caption(2)).toBe(null);
});

test("what a list brings late is compared with the server once", async () => {
  const { server, deps, replica, drop, edit, caption, recordOf, listed, request } = await begin();
  await drop(1, 2, 3);
  await pullFeed(deps);
  // Read before they change, and stored when the pull that leaves them out is over.
  const late = [recordOf(1), recordOf(2), recordOf(3)];
  edit(1);
  server.remove("media", idOf(2));
  await pullFeed(deps);
  await writeRecords(replica, "media", late);
  expect(await Promise.all([1, 2, 3].map(caption))).toEqual(["old", "old", "old"]);
  await pullFeed(deps);
  expect(await Promise.all([1, 2, 3].map(caption))).toEqual(["new", null, "old"]);
  request.mockClear();
  edit(3);
  await pullFeed(deps);
  expect(await caption(3)).toBe("new");
  expect(listed()).toEqual([]);
});

test("what a list brings while a page is on its way is compared at the next pull", async () => {
  const { server, deps, replica, drop, edit, caption, recordOf } = await begin();
  await drop(1);
  await pullFeed(deps);
  const late = recordOf(1);
  edit(1);
  let stored: Promise<unknown> | null = null;
  server.before = (path) => {
    if (path === "/api/sync") stored ??= writeRecords(replica, "media", [late]);
  };
  await pullFeed(deps);
  await stored;
  expect(await caption(1)).toBe("old");
  await pullFeed(deps);
  expect(await caption(1)).toBe("new");
});

test("without an answer about them the checkpoint stays, and they are asked for again", async () => {
  const { server, deps, replica, device, drop, edit, caption, recordOf } = await begin();
  await drop(1);
  await pullFeed(deps);
  const late = recordOf(1);
  edit(1);
  edit(7);
  await pullFeed(deps);
  const [before, window] = [await device.readSync(), await device.readNamed()];
  await writeRecords(replica, "media", [late]);
  edit(8);
  server.before = (path) => {
    server.fault = path === "/api/sync" ? null : noAnswer("network");
  };
  expect((await pullFeed(deps)).success).toBe(false);
  expect(await caption(1)).toBe("old");
  expect([await device.readSync(), await device.readNamed()]).toEqual([before, window]);
  server.before = () => {};
  server.fault = null;
  await pullFeed(deps);
  expect([await caption(1), await caption(8)]).toEqual(["new", "new"]);
});

test("a crash before the checkpoint loses nothing", async () => {
  const { deps, replica, device, drop, edit, caption, recordOf } = await begin();
  await drop(1);
  await pullFeed(deps);
  const late = recordOf(1);
  edit(1);
  await pullFeed(deps);
  await writeRecords(replica, "media", [late]);
  edit(7);
  const killed = () => Promise.reject(new Error("killed"));
  for (const crash of [{ writeNamed: killed }, { writeSync: killed }]) {
    await expect(pullFeed({ ...deps, device: { ...device, ...crash } })).rejects.toThrow("killed");
  }
  await pullFeed(deps);
  expect([await caption(1), await caption(7)]).toEqual(["new", "new"]);
});

test("a device that never named a window has been told everything", async () => {
  const { deps, device, edit, caption, listed, request } = await begin();
  expect(await device.readNamed()).toBe(null);
  request.mockClear();
  edit(2);
  await pullFeed(deps);
  expect(await caption(2)).toBe("new");
  expect(listed()).toEqual([]);
});

test("a list that came to its end again is told everything, and of what it missed", async () => {
  const { deps, replica, device, drop, edit, caption, recordOf } = await begin();
  await drop(1, 2);
  await pullFeed(deps);
  const late = recordOf(2);
  for (const n of [1, 2]) edit(n);
  await pullFeed(deps);
  await writeRecords(replica, "media", [recordOf(1), late]);
  await device.changeWindows(() => new Map([[" all", "end" as const]]));
  await pullFeed(deps);
  expect(await Promise.all([1, 2].map(caption))).toEqual(["new", "new"]);
  expect(await device.readNamed()).toBe(null);
});

test("a new history is noticed before anything is compared, so that nothing is taken for gone", async () => {
  const { server, deps, replica, drop, recordOf } = await begin();
  await drop(1);
  await pullFeed(deps);
  await writeRecords(replica, "media", [recordOf(1)]);
  server.remove("media", idOf(1));
  server.epoch = "two";
  const onNewHistory = vi.fn(async () => async () => ({ success: true, value: null }) as const);
  await pullFeed({ ...deps, onNewHistory });
  const [had] = onNewHistory.mock.calls[0] as unknown as [{ media: Set<string> }];
  // With the set of what did not return, which is the same: what is left of it is what is lost.
  expect([...had.media]).toEqual([idOf(1)]);
  expect((await replica.media.findOne(idOf(1)).exec()) === null).toBe(true);
});
