import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client-api";
import type { ClientDeps } from "@/data/client-deps";
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

test("a version that finds the queue of a later one leaves it alone and shows what is online", async () => {
  const device = createDevice(server.url);
  client = device.start();
  const me = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Online"));
  if (!queued.success) throw new Error(queued.error);
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
  await client.close();
  const [outbox = ""] = (await device.databases()).filter(
    (name) => name.includes(me.id) && name.endsWith("--0--outbox"),
  );
  const later = outbox.replace("--0--", "--9--");
  await device.makeDatabase(later);
  client = device.start();
  const page = await ready(client.reads.watchFeed(newest));
  expect(page.items[0]).toMatchObject({ caption: "Online" });
  expect(client.storage.state.getSnapshot()).toBe("newer");
  expect(await device.databases()).toContain(later);
});
