/** Sending without a page: what the worker does with the queue that a page has left. */
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { conversationId } from "@/domain/ids";
import { createDevice, type Device } from "./device";
import { sent, until } from "./live";
import { createNetwork, cut, loseAnswer, type Network } from "./network";
import { photo, signUp, video } from "./people";

let server: PocketBase;
let network: Network;
let device: Device;
let userId: string;
let mediaId: string;

beforeAll(async () => {
  server = await startPocketBase();
});
afterAll(() => server?.stop());

/** Somebody with one medium of their own, whose app is closed. */
beforeEach(async () => {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  const client = device.start();
  userId = (await signUp(client)).id;
  const uploaded = await client.writes.uploadMedia(photo("The first"));
  if (!uploaded.success) throw new Error(uploaded.error);
  mediaId = uploaded.value.mediaId;
  await sent(client);
  await client.close();
});

/** What is done without a network before the app is closed. */
async function leaveQueued(write: (client: Client) => Promise<unknown>, count: number) {
  network.intercept = cut;
  const client = device.start();
  await write(client);
  await until(client.outbox.watch(), ({ ready, waiting }) => ready && waiting === count);
  await client.close();
  network.intercept = null;
}

async function rows(collection: string, filter: string) {
  const query = `filter=${encodeURIComponent(filter)}`;
  return (await server.api("GET", `/api/collections/${collection}/records?${query}`)).body.items;
}

const writeAll = async (client: Client) => {
  await client.writes.addComment(mediaId, "One");
  await client.writes.addComment(mediaId, "Two");
  await client.writes.uploadMedia(video("From the tunnel"));
};

const commentsHere = async (): Promise<string[]> =>
  (await rows("comments", `mediaId = "${mediaId}"`)).map(({ text }: { text: string }) => text);

async function everythingIsThereOnce(): Promise<void> {
  expect((await commentsHere()).sort()).toEqual(["One", "Two"]);
  expect(await rows("media", `userId = "${userId}" && caption = "From the tunnel"`)).toHaveLength(
    1,
  );
}

const remove = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = device.storage.indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

/** The page that is opened afterwards shows an empty queue. */
async function nothingIsLeft(): Promise<void> {
  const client = device.start();
  await sent(client);
  await client.close();
}

test("sends words and files that a page has left, each once", async () => {
  await leaveQueued(writeAll, 3);
  expect((await device.sendQueue()).left).toBe(0);
  await everythingIsThereOnce();
  await nothingIsLeft();
  await everythingIsThereOnce();
  expect(device.complaints).toEqual([]);
});

test("without a network everything waits, and goes the next time", async () => {
  await leaveQueued(writeAll, 3);
  network.intercept = cut;
  expect((await device.sendQueue()).left).toBe(3);
  expect(await commentsHere()).toEqual([]);
  network.intercept = null;
  expect((await device.sendQueue()).left).toBe(0);
  await everythingIsThereOnce();
});

test("what arrived although its answer was lost is not sent as another one by the page", async () => {
  await leaveQueued(writeAll, 3);
  const stop = new AbortController();
  let lost = 0;
  network.intercept = ({ method }, send) => {
    if (method === "GET") return null;
    lost += 1;
    if (lost === 3) stop.abort();
    return loseAnswer(send);
  };
  await device.sendQueue(stop.signal);
  network.intercept = null;
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("one hiccup of the line ends nothing: what waits for a moment is waited for", async () => {
  await leaveQueued(writeAll, 3);
  let count = 0;
  network.intercept = ({ method }) => {
    count += Number(method !== "GET");
    return method !== "GET" && count <= 2 ? cut() : null;
  };
  expect((await device.sendQueue()).left).toBe(0);
  network.intercept = null;
  await everythingIsThereOnce();
});

test("killed at any request, it leaves a queue from which the next one goes on", async () => {
  await leaveQueued(writeAll, 3);
  for (let nth = 1; ; nth += 1) {
    let left: Promise<Device> | undefined;
    let count = 0;
    const stop = new AbortController();
    network.intercept = ({ method }, send) => {
      // The one that was killed hears of nothing any more, and says nothing.
      if (left !== undefined) return cut();
      count += Number(method !== "GET");
      if (method === "GET" || count !== nth) return null;
      left = device.afterCrash();
      stop.abort();
      return nth % 2 === 0 ? cut() : loseAnswer(send);
    };
    const report = await device.sendQueue(stop.signal);
    network.intercept = null;
    if (left === undefined) {
      expect(report.left).toBe(0);
      break;
    }
    device = await left;
  }
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("ends at once when a page comes, which sends the rest", async () => {
  await leaveQueued(writeAll, 3);
  const stop = new AbortController();
  network.intercept = ({ path }, send) => {
    if (!path.includes("/comments/")) return null;
    stop.abort();
    return send();
  };
  await device.sendQueue(stop.signal);
  network.intercept = null;
  expect(await rows("media", `userId = "${userId}" && caption = "From the tunnel"`)).toEqual([]);
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("a file on its way stops when a page comes", async () => {
  await leaveQueued(writeAll, 3);
  const stop = new AbortController();
  network.intercept = ({ bytes }) => {
    if (bytes === 0) return null;
    stop.abort();
    return new Promise<Response>(() => {});
  };
  expect(await device.sendQueue(stop.signal)).toEqual({
    left: null,
    unread: null,
    isQueued: false,
  });
  network.intercept = null;
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("of another version's databases it changes nothing, and sends nothing of them", async () => {
  await leaveQueued(writeAll, 3);
  const mine = (await device.databases()).filter((name) => name.includes(userId));
  const from = network.seen.length;
  const outbox = mine.find((name) => name.endsWith("--outbox")) ?? "";
  await device.makeDatabase(outbox.replace(/--\d+--/, "--9--"));
  expect(await device.sendQueue()).toEqual({ left: null, unread: null, isQueued: false });
  await remove(outbox.replace(/--\d+--/, "--9--"));
  const likes = mine.find((name) => /--likes_/.test(name)) ?? "";
  await remove(likes);
  expect(await device.sendQueue()).toEqual({ left: null, unread: null, isQueued: false });
  expect(network.seen.slice(from)).toEqual([]);
  const now = (await device.databases()).filter((name) => name.includes(userId));
  expect(now.sort()).toEqual(mine.filter((name) => name !== likes).sort());
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("where the device gives no storage, nothing is said to be sent", async () => {
  await leaveQueued(writeAll, 3);
  const { storage } = device;
  const closed = new Proxy(storage.indexedDB, {
    get(factory, name) {
      if (name === "open") throw new DOMException("No room", "QuotaExceededError");
      const value: unknown = Reflect.get(factory, name);
      return typeof value === "function" ? value.bind(factory) : value;
    },
  });
  const full = device.withChange({ storage: { ...storage, indexedDB: closed } });
  expect(await full.sendQueue()).toEqual({ left: null, unread: null, isQueued: false });
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("a file that is on its way stops where Wi-Fi is lost", async () => {
  await leaveQueued(writeAll, 3);
  let isWifi = true;
  let changed = () => {};
  const uploads = {
    allowed: () => isWifi,
    onChange(heard: () => void) {
      changed = heard;
      return () => undefined;
    },
  };
  network.intercept = ({ method, bytes }) => {
    if (method === "GET" || bytes === 0) return null;
    isWifi = false;
    changed();
    // Nothing comes back: who waits for it waits for ever.
    return new Promise<Response>(() => {});
  };
  expect((await device.withChange({ uploads }).sendQueue()).left).toBe(1);
  network.intercept = null;
  expect((await commentsHere()).sort()).toEqual(["One", "Two"]);
  await nothingIsLeft();
  await everythingIsThereOnce();
});

test("files that are to wait for Wi-Fi wait here too", async () => {
  await leaveQueued(writeAll, 3);
  const uploads = { allowed: () => false, onChange: () => () => undefined };
  expect((await device.withChange({ uploads }).sendQueue()).left).toBe(1);
  expect((await commentsHere()).sort()).toEqual(["One", "Two"]);
  expect(await rows("media", `userId = "${userId}" && caption = "From the tunnel"`)).toEqual([]);
});

test("after a sign-out nothing is sent in anybody's name", async () => {
  await leaveQueued(async (client) => {
    await writeAll(client);
    await client.auth.signOut("keep");
  }, 0);
  const from = network.seen.length;
  expect((await device.sendQueue()).left).toBe(0);
  expect(network.seen.slice(from)).toEqual([]);
});

test("it tells how many messages are unread once it has asked, and not while it cannot", async () => {
  const other = createDevice(server.url).start();
  await signUp(other);
  const begun = await other.writes.createOrGetConversation(userId);
  if (!begun.success) throw new Error(begun.error);
  for (const text of ["Are you in?", "Hello?"])
    await other.writes.sendTextMessage(begun.value.conversationId, text);
  await sent(other);
  await other.close();
  network.intercept = cut;
  expect((await device.sendQueue()).unread).toBeNull();
  network.intercept = null;
  expect((await device.sendQueue()).unread).toBe(2);
});

test("what a tap on a notification asks for waits without a network, and goes once", async () => {
  const other = createDevice(server.url).start();
  const them = await signUp(other);
  const chat = conversationId(userId, them.id);
  await other.writes.createOrGetConversation(userId);
  await other.writes.sendTextMessage(chat, "Read me");
  await sent(other);
  await other.close();
  expect((await device.sendQueue()).unread).toBe(1);
  const read = { kind: "conversation.read", body: { conversationId: chat } } as const;
  const { signal } = new AbortController();
  network.intercept = cut;
  expect(await device.sendQueue(signal, read)).toMatchObject({ left: 1, isQueued: true });
  network.intercept = null;
  expect(await device.sendQueue()).toEqual({ left: 0, unread: 0, isQueued: false });
});
