/** Keeping whole lists: what fits, what stays and what goes, on a device of the test's own. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { filesHere, keepInMediaCache } from "@/media-cache/cache";
import { fillLists, type KeptList, letGo, putList, readLists } from "@/media-cache/kept-lists";

const BASE = "https://app.example";
const file = (id: string) => `/api/files/media/${id}/a.jpg`;
const KB = 1024;

/** What the server has: bytes by path; what is not there is 404. */
let served: Map<string, number>;
let asked: string[];
/** Throws in place of an answer. */
let fault: Error | null;
let room: number;

/** As much of the Cache API as the cache of media uses. */
function cachesOf() {
  const all = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const cache = all.get(name) ?? new Map<string, Response>();
    all.set(name, cache);
    return {
      put: async (key: string, response: Response) => {
        if (cache.size >= room) throw new DOMException("full", "QuotaExceededError");
        cache.set(key, response);
      },
      delete: async (key: string) => cache.delete(key),
    };
  };
  return { open, keys: async () => [...all.keys()] };
}

beforeEach(() => {
  served = new Map(["a", "b", "c"].map((id) => [file(id), 10 * KB]));
  [asked, fault, room] = [[], null, Infinity];
  vi.stubGlobal("caches", cachesOf());
  vi.stubGlobal("location", new URL(BASE));
  vi.stubGlobal("navigator", {
    locks: {
      request: (_name: string, _options: object, work: (lock: object) => unknown) => work({}),
    },
  });
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (fault !== null) throw fault;
    const bytes = served.get(path);
    const headers = { "Content-Type": "image/jpeg" };
    return bytes === undefined
      ? new Response("", { status: 404 })
      : new Response(new Uint8Array(bytes), { headers });
  });
});
afterEach(async () => {
  await letGo((await readLists()).map(({ id }) => id));
  const { deleteDB } = await import("idb");
  await deleteDB("media-cache");
  vi.unstubAllGlobals();
});

let at = 0;
const plan = (of: string, ids: string[], limit = 100 * KB) =>
  putList({
    ...{ kind: "person" as const, of, name: of, userId: "", limit },
    plan: ids.map((id) => [file(id)]),
    plannedAt: ++at,
  });
const fill = (mayFetch = () => true) => fillLists({ mayFetch });
const list = async (of = "ada"): Promise<Partial<KeptList>> => {
  const found = (await readLists()).find((one) => one.of === of);
  return { media: found?.media ?? -1, bytes: found?.bytes ?? -1, state: found?.state ?? "open" };
};
const kept = async (): Promise<string[]> =>
  [...(await filesHere([...served.keys()]))].filter(([, one]) => one.kept).map(([url]) => url);

describe("what is fetched", () => {
  test("all of it, once", async () => {
    await plan("ada", ["a", "b", "c"]);
    expect(await fill()).toBe(false);
    expect(await list()).toEqual({ media: 3, bytes: 30 * KB, state: "whole" });
    expect(await kept()).toEqual([file("a"), file("b"), file("c")]);
    await fill();
    expect(asked).toHaveLength(3);
  });

  test("the newest that fit, and each with all its files or not at all", async () => {
    await putList({
      ...{ kind: "person", of: "ada", name: "ada", userId: "", limit: 25 * KB },
      plan: [[file("a")], [file("b"), file("c")]],
      plannedAt: ++at,
    });
    expect(await fill()).toBe(false);
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "full" });
    expect(await kept()).toEqual([file("a")]);
  });

  test("nothing where it costs; and it goes on from there", async () => {
    await plan("ada", ["a", "b", "c"]);
    let files = 0;
    expect(await fill(() => files++ < 2)).toBe(true);
    expect(await list()).toEqual({ media: 2, bytes: 20 * KB, state: "open" });
    expect(await fill()).toBe(false);
    expect(asked).toEqual([file("a"), file("b"), file("c")]);
    expect(await list()).toEqual({ media: 3, bytes: 30 * KB, state: "whole" });
  });

  test("without an answer it waits, and what is gone is left out", async () => {
    await plan("ada", ["a", "b"]);
    fault = new TypeError("Failed to fetch");
    expect(await fill()).toBe(true);
    expect(await list()).toEqual({ media: 0, bytes: 0, state: "open" });
    fault = null;
    served.delete(file("a"));
    expect(await fill()).toBe(false);
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "whole" });
  });

  test("where nothing at all comes, somebody else answers: it stays open", async () => {
    await plan("ada", ["x", "y"]);
    expect(await fill()).toBe(true);
    expect((await list()).state).toBe("open");
  });

  test("a device without room is told of as such", async () => {
    room = 1;
    await plan("ada", ["a", "b"]);
    expect(await fill()).toBe(false);
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "no-room" });
  });
});

describe("what goes", () => {
  test("its own files become like any other", async () => {
    await plan("ada", ["a", "b"]);
    await fill();
    await letGo(["person ada"]);
    expect(await kept()).toEqual([]);
    expect((await filesHere([file("a")])).size).toBe(1);
  });

  test("what was kept before, or is wanted by another list, stays", async () => {
    await keepInMediaCache([{ url: file("a"), blob: new Blob(["x"], { type: "image/jpeg" }) }]);
    await plan("ada", ["a", "b", "c"]);
    await fill();
    await plan("ben", ["c"]);
    await fill();
    await letGo(["person ada"]);
    expect(await kept()).toEqual([file("a"), file("c")]);
    await letGo(["person ben"]);
    expect(await kept()).toEqual([file("a")]);
  });

  test("a new plan lets go of what it lacks", async () => {
    await plan("ada", ["a", "b"]);
    await fill();
    await plan("ada", ["c", "a"]);
    expect(await kept()).toEqual([file("a")]);
    await fill();
    expect(await kept()).toEqual([file("a"), file("c")]);
    expect(await list()).toEqual({ media: 2, bytes: 20 * KB, state: "whole" });
  });

  test("a list that is let go of while it comes keeps nothing", async () => {
    await plan("ada", ["a", "b", "c"]);
    const letGoThen = () => {
      if (asked.length === 1) void letGo(["person ada"]);
      return true;
    };
    await fill(letGoThen);
    expect(await kept()).toEqual([]);
    expect(await readLists()).toEqual([]);
  });
});
