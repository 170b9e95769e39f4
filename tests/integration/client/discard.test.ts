import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, loseAnswer, type Network } from "./network";
import { newPerson, PASSWORD, photo, signUp } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let network: Network;
let client: Client;
let me: { id: string; email: string };
beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch }).start();
  me = await signUp(client);
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
  await expect.poll(() => asked).toBe(1);
  await backOnline();
});

/** Somebody else, with something of theirs. */
async function somebody(mediaId: string): Promise<{ id: string; mediaId: string }> {
  const { token } = await createSuperuser(server);
  const { body } = await server.api("POST", "/api/collections/users/records", newPerson());
  await seedMedia(server, token, body.id, [{ id: mediaId, caption: "Of somebody else", age: 1 }]);
  await client.sync();
  await found(client.reads.watchMedia(mediaId));
  return { id: body.id, mediaId };
}

const items = (count: number) =>
  until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === count);

test("a like and a follow that are taken back before they were sent are not shown in the queue", async () => {
  const other = await somebody("likedandunliked");
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
  network.seen.length = 0;
  await client.writes.setLike(other.mediaId, true);
  await client.writes.followUser(other.id);
  await items(2);
  await client.writes.setLike(other.mediaId, false);
  await client.writes.unfollowUser(other.id);
  await items(0);
  const medium = await found(client.reads.watchMedia(other.mediaId));
  expect(medium).toMatchObject({ liked: false, likes: 0 });
  // Once more, and this time it stays.
  for (const on of [true, false, true]) await client.writes.setLike(other.mediaId, on);
  await items(1);
  await backOnline();
  expect(network.seen.filter(({ path }) => path.includes("/likes/"))).toHaveLength(1);
  const follows = network.seen.filter(({ path }) => path.includes("/follows/"));
  expect(follows.map(({ method }) => method)).toEqual(["DELETE"]);
  const now = await found(client.reads.watchMedia(other.mediaId), ({ likes }) => likes === 1);
  expect(now.liked).toBe(true);
});

test("the last word stands though another device had the first one", async () => {
  const other = await somebody("likedelsewhere1");
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
  const like = { id: `${other.mediaId}_${me.id}`, mediaId: other.mediaId, userId: me.id };
  const signIn = { identity: me.email, password: PASSWORD };
  const path = "/api/collections/users/auth-with-password";
  const { token } = (await server.api("POST", path, signIn)).body;
  const made = await server.api("POST", "/api/collections/likes/records", like, token);
  expect(made.status).toBe(200);
  // This device knows nothing of it.
  for (const on of [true, false]) await client.writes.setLike(other.mediaId, on);
  await items(0);
  await backOnline();
  // The device has shown none all the while.
  const record = `/api/collections/media/records/${other.mediaId}`;
  await expect.poll(async () => (await server.api("GET", record)).body.likes).toBe(0);
});

test("a like that the server may have heard of is taken back there too", async () => {
  const other = await somebody("likedandunsure1");
  let lost = 0;
  network.intercept = ({ path, method }, send) => {
    if (method !== "POST" || !path.includes("/likes/")) return null;
    lost += 1;
    return loseAnswer(send);
  };
  await client.writes.setLike(other.mediaId, true);
  await until(client.outbox.watch(), (outbox) => outbox.items[0]?.state === "waiting");
  expect(lost).toBeGreaterThan(0);
  await client.writes.setLike(other.mediaId, false);
  await backOnline();
  expect(network.seen.map(({ method }) => method)).toContain("DELETE");
  const { body } = await server.api("GET", `/api/collections/media/records/${other.mediaId}`);
  expect(body.likes).toBe(0);
});
