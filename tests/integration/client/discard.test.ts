import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { photo, signUp } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let network: Network;
let client: Client;
beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch }).start();
  await signUp(client);
  await client.sync();
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});
beforeEach(() => {
  network.seen.length = 0;
});

async function queueOffline(caption: string): Promise<{ mediaId: string; intentId: string }> {
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
  const queued = await client.writes.uploadMedia(photo(caption));
  if (!queued.success) throw new Error(queued.error);
  await ready(client.reads.watchFeed(newest), ({ items }) =>
    items.some((i) => i.caption === caption),
  );
  return queued.value;
}

async function backOnline(): Promise<void> {
  network.intercept = null;
  await client.sync();
  await client.outbox.drain();
  await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
}

const uploads = () => network.seen.filter(({ path }) => path.startsWith("/api/uploads")).length;
const gone = (mediaId: string) =>
  ready(client.reads.watchFeed(newest), ({ items }) => items.every((item) => item.id !== mediaId));

test("a discarded upload is never sent, nor is what was queued about it", async () => {
  const { mediaId, intentId } = await queueOffline("Thrown away");
  await client.writes.setLike(mediaId, true);
  await client.outbox.discard(intentId);
  await gone(mediaId);
  await backOnline();
  expect(uploads()).toBe(0);
  expect(network.seen.some(({ path }) => path.includes("/likes/"))).toBe(false);
});

test("deleting a medium that was never sent sends nothing at all", async () => {
  const { mediaId } = await queueOffline("Deleted in the tunnel");
  expect(await client.writes.deleteMedia(mediaId)).toMatchObject({ success: true });
  await gone(mediaId);
  await backOnline();
  expect(uploads()).toBe(0);
});

test("deleting a sent medium without the network hides it at once and removes it later", async () => {
  network.intercept = null;
  const queued = await client.writes.uploadMedia(photo("Sent, then deleted"));
  if (!queued.success) throw new Error(queued.error);
  const { mediaId } = queued.value;
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  network.intercept = cut;
  const told: string[] = [];
  const leave = client.onEvent((event) => {
    if (event.type === "media-deleted") told.push(event.mediaId);
  });
  await client.writes.deleteMedia(mediaId);
  await gone(mediaId);
  await until(client.reads.watchMedia(mediaId), (medium) => medium.state === "gone");
  expect(told).toContain(mediaId);
  leave();
  await backOnline();
  expect((await server.api("GET", `/api/collections/media/records/${mediaId}`)).status).toBe(404);
});

test("an upload that is discarded while it is sent ends here, though its server cannot be told", async () => {
  let reached = () => {};
  const sending = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let asked = 0;
  network.intercept = ({ method, path }) => {
    if (!path.startsWith("/api/uploads/")) return null;
    if (method === "DELETE") {
      asked += 1;
      return cut();
    }
    reached();
    return new Promise(() => undefined);
  };
  const queued = await client.writes.uploadMedia(photo("Thrown away on its way"));
  if (!queued.success) throw new Error(queued.error);
  await sending;
  await client.outbox.discard(queued.value.intentId);
  await gone(queued.value.mediaId);
  // The runner fails on a rejection that nobody handles.
  await expect.poll(() => asked, { timeout: 30_000 }).toBe(1);
  await backOnline();
});
