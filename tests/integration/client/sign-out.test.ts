import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice, type Device } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { PASSWORD, photo, signUp } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let network: Network;
let device: Device;
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

function begin(): void {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
}

const mediaPosts = () =>
  network.seen.filter(({ method, path }) => method === "POST" && path === "/api/media").length;

/** Queues a photo that cannot be sent now. */
async function queueOffline(caption: string): Promise<string> {
  network.intercept = cut;
  const queued = await client.writes.uploadMedia(photo(caption));
  if (!queued.success) throw new Error(queued.error);
  await until(client.connection, (connection) => connection === "offline");
  return queued.value.mediaId;
}

const signedOut = () => until(client.auth.session, (session) => session.state === "signed-out");

test("a kept queue is sealed: the next person neither sees nor sends it, and its owner sends it later", async () => {
  begin();
  const owner = await signUp(client);
  const mediaId = await queueOffline("Sealed for me");
  expect(await client.auth.signOut("keep")).toMatchObject({ success: true });
  await signedOut();
  network.intercept = null;

  const outbox = client.outbox.watch();
  const shown: number[] = [];
  const stop = outbox.subscribe(() => shown.push(outbox.getSnapshot().items.length));
  await signUp(client);
  await client.sync();
  await client.outbox.drain();
  stop();
  expect(Math.max(0, ...shown)).toBe(0);
  const page = await ready(client.reads.watchFeed(newest));
  expect(page.items).toEqual([]);
  expect(mediaPosts()).toBe(0);
  await client.auth.signOut("keep");

  expect(await client.auth.signIn(owner.email, PASSWORD)).toMatchObject({ success: true });
  const medium = await found(client.reads.watchMedia(mediaId), (now) => now.pending === null);
  expect(medium).toMatchObject({ caption: "Sealed for me", userId: owner.id });
  expect(mediaPosts()).toBe(1);
});

test("a discarded queue is gone, and with it every row and file of that person's on the device", async () => {
  begin();
  const owner = await signUp(client);
  await queueOffline("Thrown away");
  // As a page leaves it that is closed before a tap is on the disk.
  device.local.set(`augenblick.taps.${owner.id}`, "[]");
  await client.auth.signOut("discard");
  await signedOut();
  expect(device.local.size).toBe(0);
  const left = (await device.databases()).filter((name) => name.includes(owner.id));
  expect(left).toEqual([]);
  network.intercept = null;
  await client.auth.signIn(owner.email, PASSWORD);
  await client.sync();
  await client.outbox.drain();
  await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
  expect(mediaPosts()).toBe(0);
});

test("a discarded queue is gone even where the app was closed before it could delete it", async () => {
  begin();
  const owner = await signUp(client);
  const mediaId = await queueOffline("Thrown away in a hurry");
  void client.auth.signOut("discard");
  const later = await device.afterCrash();
  await client.close();
  network.intercept = null;
  client = later.start();
  await client.auth.signIn(owner.email, PASSWORD);
  await client.sync();
  await client.outbox.drain();
  await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
  expect(mediaPosts()).toBe(0);
  expect((await server.api("GET", `/api/collections/media/records/${mediaId}`)).status).toBe(404);
  expect([...later.local.keys()]).not.toContain("augenblick.discarded");
});

test("a sign-out that was cut off hides nothing from the same person later", async () => {
  begin();
  const owner = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("There before and after"));
  const mediaId = queued.success ? queued.value.mediaId : "";
  await found(client.reads.watchMedia(mediaId), (now) => now.pending === null);
  await client.sync();
  void client.auth.signOut("keep");
  const later = await device.afterCrash();
  await client.close();
  client = later.start();
  await client.sync();
  const leftOver = async () =>
    (await later.databases()).filter((name) => name.includes(`${owner.id}--0--media`));
  await expect.poll(leftOver).toEqual([]);
  await client.auth.signIn(owner.email, PASSWORD);
  await client.sync();
  expect(later.holds(mediaId, `${owner.id}--0--media`)).toBe(true);
});

test("signing out with a kept queue leaves nothing of the replica on the device", async () => {
  begin();
  const owner = await signUp(client);
  await client.sync();
  await client.auth.signOut("keep");
  await signedOut();
  const left = (await device.databases()).filter((name) => name.includes(owner.id));
  const parts = left.map((name) => name.split("--").at(-1) ?? name);
  expect(parts.filter((part) => /^(media|likes|messages|conversations|blocks)/.test(part))).toEqual(
    [],
  );
});

test("what a guest saw leaves the device at a sign-in, where nothing would tell of its deletion", async () => {
  begin();
  await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Public for a while"));
  if (!queued.success) throw new Error(queued.error);
  await found(client.reads.watchMedia(queued.value.mediaId), (now) => now.pending === null);
  await client.auth.signOut("keep");
  await signedOut();
  await ready(client.reads.watchFeed(newest), ({ items }) => items.length > 0);
  expect(device.holds("Public for a while", "guest")).toBe(true);
  await signUp(client);
  await client.sync();
  expect(device.holds("Public for a while", "guest")).toBe(false);
  await client.auth.signOut("keep");
  await signedOut();
  await ready(client.reads.watchFeed(newest), ({ items }) => items.length > 0);
});

test("a session that another tab ended is noticed without the network", async () => {
  begin();
  await signUp(client);
  network.intercept = cut;
  expect(client.auth.check()).toBe(true);
  device.local.clear();
  expect(client.auth.check()).toBe(false);
  expect(client.auth.session.getSnapshot()).toEqual({ state: "signed-out" });
});
