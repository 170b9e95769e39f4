import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { valueIn } from "@tests/support/value-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { specificationOf } from "@/data/specification";
import { createDevice, type Device } from "./device";
import { found, ready, untilSent } from "./live";
import { PASSWORD, photo, signUp } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let admin: { token: string };
let device: Device;
let client: Client;
const dropped: string[] = [];
let me: { id: string; email: string };
let author: { id: string; email: string };
let mediaId: string;
beforeAll(async () => {
  server = await startPocketBase();
  admin = await createSuperuser(server);
  device = createDevice(server.url, {
    dropMedia: async (urls) => void dropped.push(...(urls === "private" ? [] : urls)),
  });
  client = device.start();
  author = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Seen by everybody"));
  if (!queued.success) throw new Error(queued.error);
  mediaId = queued.value.mediaId;
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  await client.auth.signOut("discard");
  me = await signUp(client);
  await client.sync();
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const remove = (path: string) =>
  server.api("DELETE", `/api/collections/${path}`, undefined, admin.token);
const sent = () => untilSent(client);

test("a block hides rows that stay, so that unblocking shows them without the network", async () => {
  await client.writes.blockUser(author.id);
  await ready(client.reads.watchFeed(newest), ({ items }) => items.length === 0);
  await sent();
  await client.sync();
  expect(device.holds("Seen by everybody", me.id)).toBe(true);
  await client.writes.unblockUser(author.id);
  await ready(client.reads.watchFeed(newest), ({ items }) => items.length === 1);
  await sent();
});

test("a deleted medium leaves the feed, the disk and the cache of files", async () => {
  const files = (await specificationOf(client).getMedia(mediaId)).value;
  const paths = [files?.url, files?.thumbnailUrl, files?.previewUrl].map(
    (url) => new URL(url ?? "").pathname,
  );
  expect(device.holds("Seen by everybody", me.id)).toBe(true);
  await remove(`media/records/${mediaId}`);
  await client.sync();
  await ready(client.reads.watchFeed(newest), ({ items }) => items.length === 0);
  expect(device.holds("Seen by everybody", me.id)).toBe(false);
  expect(dropped).toEqual(expect.arrayContaining(paths));
});

test("a deleted conversation takes its messages and photos from the disk", async () => {
  const { body } = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: author.email,
    password: PASSWORD,
  });
  const started = await client.writes.createOrGetConversation(author.id);
  const chat = valueIn(started).conversationId;
  const secret = { conversationId: chat, senderId: author.id, message: "Between us", type: "text" };
  await server.api("POST", "/api/collections/messages/records", secret, body.token);
  await client.writes.sendPhotoMessage(chat, {
    file: new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }),
    thumbnail: null,
    contentType: "image/jpeg",
    originalFilename: "photo.jpg",
  });
  await client.writes.sendTextMessage(chat, "My own words");
  const told = await client.writes.sendTextMessage(chat, "Regretted");
  await sent();
  await client.sync();
  expect(device.holds("Between us", me.id)).toBe(true);
  expect(device.holds("My own words", me.id)).toBe(true);
  const before = dropped.length;

  await client.writes.deleteMessage(chat, valueIn(told).messageId);
  await sent();
  await client.sync();
  await client.sync();
  expect(device.holds("Regretted", me.id)).toBe(false);

  await remove(`conversations/records/${chat}`);
  await client.sync();
  await client.sync();
  expect(device.holds("Between us", me.id)).toBe(false);
  expect(device.holds("My own words", me.id)).toBe(false);
  expect(dropped.slice(before).some((path) => path.startsWith("/api/files/messages/"))).toBe(true);
  expect(await specificationOf(client).getUnreadChatCount()).toMatchObject({ count: 0 });
});
