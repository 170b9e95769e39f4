/** Keeping whole lists: what fits, what stays and what goes, on a device of the test's own. */
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { filesHere, forgetInMediaCache, keepInMediaCache } from "@/media-cache/cache";
import {
  fillLists,
  type KeptList,
  keepByHand,
  letGo,
  putList,
  readLists,
  releaseByHand,
  replan,
} from "@/media-cache/kept-lists";

const BASE = "https://app.example";
const file = (id: string) => `/api/files/media/${id}/a.jpg`;
const KB = 1024;

/** What the server has: bytes by path; what is not there is 404. */
let served: Map<string, number>;
let asked: string[];
/** In place of an answer. */
let fault: Error | Response | null;
let room: number;
/** Before a file is stored, and while one comes. */
let onPut: () => Promise<unknown>;
let onFetch: () => Promise<unknown>;

type LockWork = (lock: object | null) => unknown;

/** As browsers have them: one holder of a name, and a queue. */
function locks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request(name: string, ...more: [LockWork] | [{ ifAvailable?: boolean }, LockWork]) {
      const [options, work] = more.length === 1 ? [{}, more[0]] : more;
      const before = last.get(name);
      if (options.ifAvailable && before !== undefined) return work(null);
      const mine: Promise<unknown> = (before ?? Promise.resolve()).then(() => work({}));
      const over = mine.catch(() => undefined);
      last.set(name, over);
      void over.then(() => {
        if (last.get(name) === over) last.delete(name);
      });
      return mine;
    },
  };
}

/** As much of the Cache API as the cache of media uses. */
function cachesOf() {
  const all = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const cache = all.get(name) ?? new Map<string, Response>();
    all.set(name, cache);
    return {
      put: async (key: string, response: Response) => {
        await onPut();
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
  onPut = onFetch = async () => undefined;
  vi.stubGlobal("caches", cachesOf());
  vi.stubGlobal("location", new URL(BASE));
  vi.stubGlobal("navigator", { locks: locks() });
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    await onFetch();
    if (fault instanceof Error) throw fault;
    if (fault !== null) return fault;
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
const fill = (mayFetch = () => true) => fillLists({ mayFetch, waits: true });
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

  test.each([
    ["a busy server", new Response("", { status: 503 })],
    [
      "the page of a hotel",
      new Response("<h1>Hello</h1>", { headers: { "Content-Type": "text/html" } }),
    ],
  ])("what %s answers in its place is no file, and not its end", async (_who, answer) => {
    await plan("ada", ["a", "b"]);
    await fill(() => asked.length === 0);
    fault = answer;
    expect(await fill()).toBe(true);
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "open" });
    expect(asked).toEqual([file("a"), file("b")]);
  });

  test("what is here is counted although the newest cannot be fetched now", async () => {
    await plan("ada", ["a", "b"]);
    await fill();
    await plan("ada", ["c", "a", "b"]);
    expect(await fill(() => false)).toBe(true);
    expect(await list()).toEqual({ media: 2, bytes: 20 * KB, state: "open" });
  });

  test("a file that lies elsewhere is passed over", async () => {
    await putList({
      ...{ kind: "person", of: "ada", name: "ada", userId: "", limit: 100 * KB },
      plan: [["https://elsewhere.example/a.jpg"], [file("b")]],
      plannedAt: ++at,
    });
    expect(await fill()).toBe(false);
    expect(asked).toEqual([file("b")]);
  });

  test("one fetches at a time: a worker leaves it to the page, a page waits", async () => {
    await plan("ada", ["a", "b"]);
    const first = fill();
    expect(await fillLists({ mayFetch: () => true, waits: false })).toBe(true);
    expect([await first, await fill()]).toEqual([false, false]);
    expect(asked).toHaveLength(2);
  });

  test("where all is gone, nothing of it is here, and nothing is asked again", async () => {
    await plan("ada", ["x", "y"]);
    expect(await fill()).toBe(false);
    expect(await list()).toEqual({ media: 0, bytes: 0, state: "whole" });
    await fill();
    expect(asked).toHaveLength(2);
  });

  test("a film that is known to be too large is not fetched, and what follows is", async () => {
    const films = { plan: ["a", "b", "c"].map((id) => [file(id)]), sizes: [0, 500 * KB, 0] };
    await putList({
      ...{ kind: "person", of: "ada", name: "ada", userId: "", limit: 100 * KB },
      ...films,
      plannedAt: ++at,
    });
    expect(await fill()).toBe(false);
    expect(asked).toEqual([file("a"), file("c")]);
    expect(await list()).toEqual({ media: 2, bytes: 20 * KB, state: "full" });
  });

  test("on a device without room a medium is here whole or not at all", async () => {
    room = 2;
    await putList({
      ...{ kind: "person", of: "ada", name: "ada", userId: "", limit: 100 * KB },
      plan: [[file("a")], [file("b"), file("c")]],
      plannedAt: ++at,
    });
    expect(await fill()).toBe(false);
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "no-room" });
    expect(await kept()).toEqual([file("a")]);
  });

  test("what is evicted while it comes is fetched again", async () => {
    await plan("ada", ["a", "b"]);
    await fill();
    await letGo(["person ada"]);
    await plan("ada", ["a", "b"]);
    const evict = () => {
      void forgetInMediaCache([file("b")]);
      return true;
    };
    await forgetInMediaCache([file("a")]);
    await fill(evict);
    expect(await list()).toEqual({ media: 2, bytes: 20 * KB, state: "whole" });
    expect((await filesHere([file("a"), file("b")])).size).toBe(2);
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

  test("a smaller size lets go of what is beyond it", async () => {
    await plan("ada", ["a", "b", "c"]);
    await fill();
    await plan("ada", ["a", "b", "c"], 15 * KB);
    await fill();
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "full" });
    expect(await kept()).toEqual([file("a")]);
  });

  test("newer ones take the place of older ones", async () => {
    await plan("ada", ["b", "c"], 20 * KB);
    await fill();
    const [before] = await readLists();
    if (before === undefined) throw new Error("no list");
    const plannedAt = ++at;
    await replan(before, { plan: ["a", "b", "c"].map((id) => [file(id)]), plannedAt, name: "ada" });
    await fill();
    expect(await kept()).toEqual([file("a"), file("b")]);
  });

  test("what was planned anew comes not back after it was let go of", async () => {
    await plan("ada", ["a"]);
    const [before] = await readLists();
    if (before === undefined) throw new Error("no list");
    await letGo(["person ada"]);
    const anew = { plan: [[file("b")]], plannedAt: ++at, name: "ada" };
    expect(await replan(before, anew)).toBe(false);
    expect(await readLists()).toEqual([]);
  });

  test("an older fill does not speak for a newer plan", async () => {
    await plan("ada", ["a", "b"], 15 * KB);
    let isAgain = false;
    await fill(() => {
      if (asked.length === 1 && !isAgain) {
        isAgain = true;
        void plan("ada", ["a", "b"]);
      }
      return true;
    });
    expect(await list()).toEqual({ media: 2, bytes: 20 * KB, state: "whole" });
    expect(await kept()).toEqual([file("a"), file("b")]);
  });

  test("by hand and by a list are two reasons to stay", async () => {
    await plan("ada", ["a", "b"]);
    await fill();
    await keepByHand([file("a")]);
    await letGo(["person ada"]);
    expect(await kept()).toEqual([file("a")]);
    await plan("ada", ["a", "b"]);
    await fill();
    await releaseByHand([file("a")]);
    expect(await kept()).toEqual([file("a"), file("b")]);
    await letGo(["person ada"]);
    expect(await kept()).toEqual([]);
  });

  test("a list that is let go of while a file is being stored keeps nothing", async () => {
    await plan("ada", ["a", "b"]);
    let going: Promise<void> | undefined;
    onPut = async () => {
      going ??= letGo(["person ada"]);
    };
    await fill();
    await going;
    expect([await kept(), await readLists()]).toEqual([[], []]);
    expect(asked).toEqual([file("a")]);
  });

  test("what a page that ended had still to let go of is nobody's list, and goes with that", async () => {
    await plan("ada", ["a", "b"]);
    await fill();
    const ended = new Promise<never>(() => undefined);
    vi.stubGlobal("navigator", { locks: { request: () => ended } });
    void letGo(["person ada"]);
    await expect
      .poll(async () => (await readLists()).map(({ userId }) => userId))
      .toEqual(["nobody"]);
    expect(await kept()).toEqual([file("a"), file("b")]);
    vi.stubGlobal("navigator", { locks: locks() });
    await letGo((await readLists()).map(({ id }) => id));
    expect([await kept(), await readLists()]).toEqual([[], []]);
  });

  test("what is kept by hand while it comes is no list's", async () => {
    await plan("ada", ["a"]);
    onFetch = async () => {
      onFetch = async () => undefined;
      await keepInMediaCache([{ url: file("a"), blob: new Blob(["x"], { type: "image/jpeg" }) }]);
    };
    await fill();
    await letGo(["person ada"]);
    expect(await kept()).toEqual([file("a")]);
  });

  test("what is beyond the size does not stay because it was kept by hand once", async () => {
    const films = { plan: [[file("a")], [file("b")]], sizes: [0, 10 * KB] };
    const list40 = { kind: "person", of: "ada", name: "ada", userId: "", limit: 15 * KB } as const;
    await putList({ ...list40, ...films, plannedAt: ++at });
    await fill();
    await keepInMediaCache([
      { url: file("b"), blob: new Blob([new Uint8Array(10 * KB)], { type: "image/jpeg" }) },
    ]);
    await releaseByHand([file("b")]);
    await fill();
    expect(await list()).toEqual({ media: 1, bytes: 10 * KB, state: "full" });
    expect(await kept()).toEqual([file("a")]);
  });

  test("a list that is let go of while it it comes keeps nothing", async () => {
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
