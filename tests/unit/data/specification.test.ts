import { BehaviorSubject } from "rxjs";
import { describe, expect, test, vi } from "vitest";
import type { Client, ClientReads } from "@/data/client";
import { createLive } from "@/data/engine/live";
import type {
  FeedPage,
  FeedQuery,
  Live,
  Loaded,
  MediaView,
  Relation,
  SessionState,
} from "@/data/shapes";
import { loadData, specificationOf } from "@/data/specification";
import { failed, ok } from "@/domain/result";
import { createCell } from "@/lib/cell";

const SIGNED_IN: SessionState = {
  state: "signed-in",
  user: { id: "me", email: "me@example.org", username: "me", isAdmin: false },
  needsLogin: false,
};

const clientWith = (reads: Partial<ClientReads>, session: SessionState = SIGNED_IN) =>
  specificationOf({ reads, auth: { session: createCell(session) } } as unknown as Client);

const medium = (id: string, liked = false) => ({ id, liked }) as MediaView;
const page = (...ids: string[]): Loaded<FeedPage> => ({
  state: "ready",
  value: { items: ids.map((id) => medium(id)), hasMore: false, older: false },
});
const live = <T>(value: T): Live<T> => createCell(value);

describe("the reads of the specification", () => {
  test("wait until there is an answer, and stop watching", async () => {
    const stop = vi.fn();
    const cell = createCell<Loaded<FeedPage>>({ state: "loading" });
    const watched: Live<Loaded<FeedPage>> = {
      getSnapshot: cell.getSnapshot,
      subscribe: (onChange) => {
        const leave = cell.subscribe(onChange);
        return () => {
          leave();
          stop();
        };
      },
    };
    const { getLatestMedia } = clientWith({
      watchFeed: () => watched,
      pullOlderMedia: async () => ok({ more: false }),
    });
    const asked = getLatestMedia(2);
    await Promise.resolve();
    cell.set(page("a", "b", "c"));
    expect(await asked).toMatchObject({
      success: true,
      hasMore: true,
      items: [{ id: "a" }, { id: "b" }],
    });
    expect(stop).toHaveBeenCalledTimes(1);
  });

  test("take the value of now, not the one of an earlier watch", async () => {
    const values = new BehaviorSubject(page("old"));
    let goCold = () => {};
    const source = createLive<Loaded<FeedPage>>(
      values,
      { state: "loading" },
      (code) => ({ state: "failed", code }),
      {
        delay: () =>
          new Promise((resolve) => {
            goCold = resolve;
          }),
        log: () => {},
      },
    );
    source.subscribe(() => {})();
    goCold();
    await Promise.resolve();
    values.next(page("new"));
    expect(source.getSnapshot()).toEqual(page("old"));
    const { getUserMedia } = clientWith({
      watchFeed: () => source,
      pullOlderMedia: async () => ok({ more: false }),
    });
    expect((await getUserMedia("ann")).items).toEqual([medium("new")]);
  });

  test("bring media step by step until there are as many as asked for", async () => {
    const limits: number[] = [];
    const { getUserMedia } = clientWith({
      watchFeed: ({ limit }: FeedQuery) => live(page(...Array(limit).fill("x"))),
      pullOlderMedia: async ({ limit }) => {
        limits.push(limit);
        return ok({ more: true });
      },
    });
    const listed = await getUserMedia("ann", 20, 60);
    expect(limits).toEqual([30, 60, 80]);
    expect(listed).toMatchObject({ success: true, hasMore: true });
    expect(listed.items).toHaveLength(20);
  });

  test("fail as an empty list, a count of 0 or 'Unbekannt' where the server cannot be asked", async () => {
    const unreachable = live({ state: "unreachable", code: "network" } as const);
    const spec = clientWith({
      watchFeed: () => live(page()),
      pullOlderMedia: async () => failed("network"),
      watchProfile: () => unreachable,
      watchConversations: () => live({ state: "failed", code: "network" } as const),
    });
    const failure = { success: false, error: "network", message: "" };
    expect(await spec.getLatestMedia()).toEqual({ ...failure, items: [], hasMore: false });
    expect(await spec.getUser("ann")).toEqual({ ...failure, value: null });
    expect(await spec.getUsername("ann")).toBe("Unbekannt");
    expect(await spec.countUserMedia("ann")).toEqual({ ...failure, count: 0 });
    expect(await spec.getUnreadChatCount()).toEqual({ ...failure, count: 0 });
  });

  test("say no to a like only once the person's own rows are here", async () => {
    const own = createCell<Loaded<Relation>>({ state: "loading" });
    const { isLiked } = clientWith({
      watchMedia: (id) => live({ state: "found", value: medium(id, id === "liked") } as const),
      watchRelation: () => own,
    });
    expect(await isLiked("liked")).toMatchObject({ success: true, value: true });
    own.set({ state: "failed", code: "network" });
    expect(await isLiked("other")).toMatchObject({ success: false, value: false });
    own.set({ state: "ready", value: { following: false, blocked: false, muted: false } });
    expect(await isLiked("other")).toMatchObject({ success: true, value: false });
  });

  test("tell a visitor that what is one's own takes a sign-in", async () => {
    const spec = clientWith({}, { state: "signed-out" });
    const failure = { success: false, error: "unauthenticated" };
    expect(await spec.isLiked("a")).toMatchObject(failure);
    expect(await spec.isFollowing("ann")).toMatchObject(failure);
    expect(await spec.isBlocked("ann")).toMatchObject(failure);
    expect(await spec.getUnreadChatCount()).toMatchObject(failure);
  });
});

function loader(answer: Response) {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const deps = {
    address: (path: string) => `https://example.org${path}`,
    token: () => "a-token",
    fetch: async (url: RequestInfo | URL, init?: RequestInit) => {
      asked.push({ url: String(url), init });
      return answer;
    },
  };
  return { deps, asked };
}

describe("the default data loader", () => {
  test("asks for the path that the key begins with, with credentials, and reads JSON", async () => {
    const { deps, asked } = loader(Response.json({ users: 3 }));
    const data = await loadData(deps, ["/api/admin/stats", 7], { on401: "throw" });
    expect(data).toEqual({ users: 3 });
    expect(asked).toMatchObject([
      {
        url: "https://example.org/api/admin/stats",
        init: { credentials: "include", headers: { Authorization: "a-token" } },
      },
    ]);
  });

  test.each([
    [new Response("It broke", { status: 500 }), "500: It broke"],
    [new Response("", { status: 404, statusText: "Not Found" }), "404: Not Found"],
    [new Response("Who?", { status: 401 }), "401: Who?"],
  ])("throws status and body", async (answer, text) => {
    const { deps } = loader(answer);
    await expect(loadData(deps, ["/x"], { on401: "throw" })).rejects.toThrow(text);
  });

  test("its variant makes null of a 401 alone", async () => {
    const unknown = loader(new Response("Who?", { status: 401 }));
    expect(await loadData(unknown.deps, ["/x"], { on401: "null" })).toBeNull();
    const broken = loader(new Response("It broke", { status: 500 }));
    await expect(loadData(broken.deps, ["/x"], { on401: "null" })).rejects.toThrow("500: It broke");
  });
});
