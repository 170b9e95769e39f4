import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { describe, expect, test, vi } from "vitest";
import { noAnswer } from "@/data/engine/answers";
import { type PullDeps, pullFeed } from "@/data/engine/pull";
import { FakeFeed } from "./fake-feed";

async function begin() {
  const server = new FakeFeed();
  const { replica, device } = await openTestReplica();
  const deps: PullDeps = {
    remote: server.remote,
    replica,
    device,
    userId: "me0000000000000",
    onApplied: vi.fn(),
    onStranger: vi.fn(),
  };
  const ids = async () => (await replica.media.find().exec()).map((doc) => doc.id).sort();
  return { server, deps, replica, device, ids };
}

const UNAUTHENTICATED = {
  kind: "refusal",
  status: 401,
  code: null,
  message: "",
  fields: {},
} as const;

/** Of each kind one row that stays and one that goes. */
const DOOMED = [
  ["comments", "comment2"],
  ["messages", "message2"],
  ["profiles", "person2"],
] as const;

function fillOthers(server: FakeFeed): void {
  for (const n of [1, 2]) {
    server.put("comments", `comment${n}`, { mediaId: "a", userId: "u", text: `Text ${n}` });
    server.put("messages", `message${n}`, { conversationId: "chat", senderId: "u", ord: n });
    server.put("profiles", `person${n}`, { username: `person.${n}` });
  }
}

/** They come with the feed: they change after the first pull. */
async function bringOthers(deps: PullDeps, server: FakeFeed): Promise<void> {
  fillOthers(server);
  await pullFeed(deps);
}

async function othersIn(replica: PullDeps["replica"]): Promise<string[]> {
  const found = await Promise.all([
    replica.comments.find().exec(),
    replica.messages.find().exec(),
    replica.profiles.find().exec(),
  ]);
  return found.flat().map((doc) => doc.get("id") as string);
}

describe("a pull", () => {
  test.each(["the first", "a later"])(
    "that another tab's sign-out overtakes leaves no checkpoint: %s",
    async (which) => {
      const { server, deps, device, ids } = await begin();
      server.photo("a");
      if (which === "a later") await pullFeed(deps);
      server.photo("b");
      let [asked, forgotten] = [0, Promise.resolve()];
      server.before = (path) => {
        if (path !== "/api/sync" || asked++ > 0) return;
        forgotten = device.forgetSync();
      };
      expect(await pullFeed(deps)).toEqual({ success: false, error: "canceled" });
      await forgotten;
      expect(await device.readSync()).toBe(null);
      expect(await pullFeed(deps)).toMatchObject({ success: true });
      expect(await device.readSync()).toEqual({ epoch: "one", checkpoint: server.seq });
      expect(await ids()).toEqual(["a", "b"]);
    },
  );

  test("brings what is there, and from then on only what changed", async () => {
    const { server, deps, device, ids, replica } = await begin();
    server.photo("a");
    server.photo("b");
    expect(await pullFeed(deps)).toMatchObject({ success: true, value: { changed: true } });
    expect(await ids()).toEqual(["a", "b"]);
    server.photo("a", { caption: "New" });
    server.photo("c");
    server.remove("media", "b");
    await pullFeed(deps);
    expect(await ids()).toEqual(["a", "c"]);
    expect((await replica.media.findOne("a").exec())?.caption).toBe("New");
    expect(await device.readSync()).toEqual({ epoch: "one", checkpoint: server.seq });
    expect(await pullFeed(deps)).toMatchObject({ success: true, value: { changed: false } });
  });

  test("of a server that does not know a collection yet brings all the others", async () => {
    const { server, deps, device, ids, replica } = await begin();
    server.absent.add("saves");
    server.photo("a");
    server.put("likes", "like1", { mediaId: "a", userId: deps.userId });
    expect(await pullFeed(deps)).toMatchObject({ success: true });
    expect(await ids()).toEqual(["a"]);
    expect(await replica.likes.count().exec()).toBe(1);
    server.absent.clear();
    server.put("saves", "save1", { mediaId: "a", userId: deps.userId });
    await pullFeed(deps);
    expect(await replica.saves.count().exec()).toBe(1);
    expect(await device.readSync()).toEqual({ epoch: "one", checkpoint: server.seq });
  });

  test("of a guest is sent without a token, whoever signs in at that moment", async () => {
    const { server, deps } = await begin();
    const request = vi.spyOn(server.remote, "request");
    const pages = () =>
      request.mock.calls
        .map(([path, options]) => [path, options?.query?.["since"], options?.anonymous] as const)
        .filter(([path, since]) => path === "/api/sync" && since !== "head");
    await pullFeed({ ...deps, userId: null });
    expect(pages().length).toBeGreaterThan(0);
    expect(pages().every(([, , anonymous]) => anonymous === true)).toBe(true);
    request.mockClear();
    await pullFeed(deps);
    expect(pages().every(([, , anonymous]) => anonymous === false)).toBe(true);
  });

  test("keeps a row that was deleted and made anew within one page", async () => {
    const { server, deps, ids } = await begin();
    server.photo("a");
    await pullFeed(deps);
    server.remove("media", "a");
    server.photo("a", { caption: "Back" });
    server.tombs.push({ collection: "media", id: "a", seq: server.seq });
    await pullFeed(deps);
    expect(await ids()).toEqual(["a"]);
  });

  test("that ends between rows and checkpoint is done again without a trace", async () => {
    const { server, deps, device, ids } = await begin();
    server.photo("a");
    await pullFeed(deps);
    server.photo("b");
    server.remove("media", "a");
    const crash = { ...device, writeSync: () => Promise.reject(new Error("killed")) };
    await expect(pullFeed({ ...deps, device: crash })).rejects.toThrow("killed");
    expect(await pullFeed(deps)).toMatchObject({ success: true, value: { changed: false } });
    expect(await ids()).toEqual(["b"]);
    expect(await device.readSync()).toEqual({ epoch: "one", checkpoint: server.seq });
  });

  test("drops what a first pull that was cut off brought, and the server has deleted since", async () => {
    const { server, deps, ids } = await begin();
    server.photo("a");
    server.photo("b");
    server.before = (path) => {
      server.fault = path.startsWith("/api/collections/settings") ? noAnswer("network") : null;
    };
    expect(await pullFeed(deps)).toMatchObject({ success: false });
    expect(await ids()).toEqual(["a", "b"]);
    server.remove("media", "a");
    server.before = () => {};
    server.fault = null;
    expect(await pullFeed(deps)).toMatchObject({ success: true });
    expect(await ids()).toEqual(["b"]);
  });

  test("keeps what was here of other kinds as far as the server still has it, after one that was cut off", async () => {
    const { server, deps, device, replica } = await begin();
    fillOthers(server);
    await pullFeed(deps);
    await bringOthers(deps, server);
    // As a wipe that was cut off, or a first pull, leaves it: rows without a checkpoint.
    await device.forgetSync();
    for (const [collection, id] of DOOMED) server.remove(collection, id);
    expect(await pullFeed(deps)).toMatchObject({ success: true });
    expect(await othersIn(replica)).toEqual(["comment1", "message1", "person1"]);
  });

  test("removes nothing when the token ended while the lists were answered like to a guest", async () => {
    const { server, deps, device, replica } = await begin();
    fillOthers(server);
    server.put("likes", "a_me", { mediaId: "a", userId: "me" });
    await pullFeed(deps);
    await bringOthers(deps, server);
    await device.forgetSync();
    const rows = new Map(server.rows);
    let asked = 0;
    server.before = (path) => {
      asked += Number(path === "/api/sync");
      if (asked === 1 && path !== "/api/sync") server.rows.clear();
      server.fault = asked > 1 ? UNAUTHENTICATED : null;
    };
    expect(await pullFeed(deps)).toMatchObject({ error: "unauthenticated" });
    expect(await othersIn(replica)).toHaveLength(6);
    expect(await replica.likes.count().exec()).toBe(1);
    server.before = () => {};
    server.fault = null;
    for (const [name, list] of rows) server.rows.set(name, list);
    expect(await pullFeed(deps)).toMatchObject({ success: true });
    expect(await othersIn(replica)).toHaveLength(6);
  });

  test("misses nothing that changes while the first rows are being listed", async () => {
    const { server, deps, ids } = await begin();
    server.photo("a");
    server.photo("b");
    let listed = false;
    server.before = (path) => {
      if (!path.startsWith("/api/collections/settings") || listed) return;
      listed = true;
      server.photo("c");
      server.remove("media", "a");
    };
    await pullFeed(deps);
    expect(await ids()).toEqual(["b", "c"]);
  });
});

describe("a new history of the server's", () => {
  test("is pulled afresh, and the screen never empties on the way", async () => {
    const { server, deps, replica, ids } = await begin();
    server.photo("kept");
    server.photo("lost");
    await pullFeed(deps);
    server.epoch = "two";
    server.seq = 1;
    server.rows.clear();
    server.photo("kept", { caption: "From the backup" });
    server.photo("fresh");
    const sizes: number[] = [];
    const subscription = replica.media.find().$.subscribe((docs) => sizes.push(docs.length));
    await pullFeed(deps);
    subscription.unsubscribe();
    expect(await ids()).toEqual(["fresh", "kept"]);
    expect((await replica.media.findOne("kept").exec())?.caption).toBe("From the backup");
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  test("keeps comments, messages and people that it still has, with what it says of them", async () => {
    const { server, deps, replica } = await begin();
    fillOthers(server);
    await pullFeed(deps);
    await bringOthers(deps, server);
    server.epoch = "two";
    server.seq = 1;
    server.rows.clear();
    fillOthers(server);
    server.put("comments", "comment1", { mediaId: "a", userId: "u", text: "As it was" });
    for (const [collection, id] of DOOMED) server.remove(collection, id);
    const sizes: number[] = [];
    const subscription = replica.messages.find().$.subscribe((docs) => sizes.push(docs.length));
    await pullFeed(deps);
    subscription.unsubscribe();
    expect(await othersIn(replica)).toEqual(["comment1", "message1", "person1"]);
    expect((await replica.comments.findOne("comment1").exec())?.text).toBe("As it was");
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  test("that cannot be pulled to its end removes nothing, and is pulled again", async () => {
    const { server, deps, ids } = await begin();
    server.photo("old");
    await pullFeed(deps);
    server.epoch = "two";
    server.rows.clear();
    server.photo("new");
    server.before = (path) => {
      server.fault = path.includes("/likes/") ? noAnswer("network") : null;
    };
    expect(await pullFeed(deps)).toMatchObject({ success: false, error: "network" });
    expect(await ids()).toEqual(["new", "old"]);
    server.before = () => {
      server.fault = null;
    };
    expect(await pullFeed(deps)).toMatchObject({ success: true });
    expect(await ids()).toEqual(["new"]);
  });
});

describe("what is no page of the feed", () => {
  test.each([
    ["nothing", noAnswer("network"), "network"],
    ["a 401", UNAUTHENTICATED, "unauthenticated"],
    [
      "JSON of another's",
      { kind: "accepted", status: 200, body: { ok: true } } as const,
      "network",
    ],
    [
      "a page without changes",
      { kind: "accepted", status: 200, body: { epoch: "one", checkpoint: 9 } } as const,
      "network",
    ],
  ])("%s removes no row and moves no checkpoint", async (_name, fault, error) => {
    const { server, deps, device, ids } = await begin();
    server.photo("a");
    await pullFeed(deps);
    const before = await device.readSync();
    server.fault = fault;
    expect(await pullFeed(deps)).toMatchObject({ success: false, error });
    expect(await ids()).toEqual(["a"]);
    expect(await device.readSync()).toEqual(before);
  });
});
