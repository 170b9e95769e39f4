import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { ClientDeps } from "@/data/engine/deps";
import { createDevice } from "./device";
import { found, ready } from "./live";
import { createNetwork, cut } from "./network";
import { photo, signUp } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let client: Client;
beforeAll(async () => {
  server = await startPocketBase();
});
afterEach(async () => {
  await client.close();
});
afterAll(async () => {
  await server?.stop();
});

test("a device that keeps things says so, and what they take", async () => {
  const network = createNetwork();
  const room: ClientDeps["room"] = {
    estimate: async () => ({ usage: 50, quota: 100, persisted: true, cached: 7 }),
    emptyCaches: async () => {},
  };
  client = createDevice(server.url, { fetch: network.fetch, room }).start();
  await signUp(client);
  await client.sync();
  expect(client.storage.state.getSnapshot()).toBe("persistent");
  network.intercept = cut;
  const draft = photo("Counted");
  await client.writes.uploadMedia(draft);
  const { file, thumbnail, preview } = draft.media;
  expect(await client.storage.usage()).toEqual({
    usedBytes: 50,
    grantedBytes: 100,
    isLasting: true,
    cachedBytes: 7,
    queuedBytes: file.size + (thumbnail?.size ?? 0) + (preview?.size ?? 0),
    keptBytes: 0,
    media: 0,
  });
});

test("a nearly full device empties its caches and keeps its queue", async () => {
  const network = createNetwork();
  let used = 79;
  let emptied = 0;
  const room: ClientDeps["room"] = {
    estimate: async () => ({ usage: used, quota: 100 }),
    emptyCaches: async () => {
      emptied += 1;
      used = 10;
    },
  };
  client = createDevice(server.url, { fetch: network.fetch, room }).start();
  await signUp(client);
  await client.sync();
  expect(emptied).toBe(0);
  network.intercept = ({ path }) => (path.startsWith("/api/uploads") ? cut() : null);
  const queued = await client.writes.uploadMedia(photo("Stays"));
  if (!queued.success) throw new Error(queued.error);
  used = 80;
  await client.sync();
  expect(emptied).toBe(1);
  network.intercept = null;
  await client.sync();
  await client.outbox.drain();
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
});

test("a device that is full at the start empties its caches and opens, and is not called one without storage", async () => {
  const device = createDevice(server.url);
  client = device.start();
  await signUp(client);
  await client.sync();
  await client.close();
  let left = 0;
  let emptied = 0;
  const room: ClientDeps["room"] = {
    estimate: async () => ({}),
    emptyCaches: async () => {
      emptied += 1;
      left = Number.POSITIVE_INFINITY;
    },
  };
  client = device.withChange({ room, storage: fullAfter(device.storage, () => left) }).start();
  await ready(client.reads.watchFeed(newest));
  expect(emptied).toBe(1);
  expect(client.storage.state.getSnapshot()).toBe("persistent");
});

test("a device without any room says that it is full, keeps its queue, and shows what is online", async () => {
  const network = createNetwork();
  const device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  await signUp(client);
  await client.sync();
  network.intercept = cut;
  const queued = await client.writes.uploadMedia(photo("Safe on a full disk"));
  if (!queued.success) throw new Error(queued.error);
  await client.close();
  network.intercept = null;
  const room: ClientDeps["room"] = { estimate: async () => ({}), emptyCaches: async () => {} };
  client = device.withChange({ room, storage: fullAfter(device.storage, () => 0) }).start();
  await ready(client.reads.watchFeed(newest));
  expect(client.storage.state.getSnapshot()).toBe("full");
  await client.close();
  client = device.start();
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
});

/** A browser that opens no database any more once `left` says 0. */
function fullAfter(storage: ClientDeps["storage"], left: () => number): ClientDeps["storage"] {
  const indexedDB = new Proxy(storage.indexedDB, {
    get(factory, name) {
      const value: unknown = Reflect.get(factory, name);
      if (typeof value !== "function") return value;
      if (name !== "open") return value.bind(factory);
      return (...args: [string, number?]) => {
        if (left() > 0) return factory.open(...args);
        throw new DOMException("No room", "QuotaExceededError");
      };
    },
  });
  return { ...storage, indexedDB };
}

test("a version that finds the queue of a later one leaves it alone and shows what is online", async () => {
  const device = createDevice(server.url);
  client = device.start();
  const me = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Online"));
  if (!queued.success) throw new Error(queued.error);
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
  await client.close();
  const [outbox = ""] = (await device.databases()).filter(
    (name) => name.includes(me.id) && name.endsWith("--outbox"),
  );
  const later = outbox.replace(/--\d+--/, "--9--");
  await device.makeDatabase(later);
  client = device.start();
  const page = await ready(client.reads.watchFeed(newest));
  expect(page.items[0]).toMatchObject({ caption: "Online" });
  expect(client.storage.state.getSnapshot()).toBe("newer");
  expect(await device.databases()).toContain(later);
});
