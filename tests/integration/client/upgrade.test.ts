/** A queue that an earlier version of the app left on the device. */
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { createRxDatabase, type RxCollection } from "rxdb";
import { getRxStorageDexie } from "rxdb/plugins/storage-dexie";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { openDeviceStore } from "@/data/engine/device-store";
import { conversationId } from "@/domain/ids";
import { createDevice, type Device } from "./device";
import { found, until } from "./live";
import { createNetwork, cut } from "./network";
import { newPerson, photo, signUp } from "./people";

let server: PocketBase;
let client: Client;
beforeAll(async () => {
  server = await startPocketBase();
});
afterEach(() => client.close());
afterAll(async () => {
  await server?.stop();
});

const text = { type: "string", maxLength: 100_000 } as const;
const number = { type: "number" } as const;

/** As the first version had it: rows are on people's devices, so this stays as it is. */
const FIRST_OUTBOX = {
  version: 0,
  type: "object",
  primaryKey: "id",
  properties: {
    id: { type: "string", maxLength: 40 },
    kind: text,
    lane: text,
    target: text,
    state: text,
    body: { type: "object", additionalProperties: true },
    place: number,
    createdAt: number,
    attempts: number,
    nextAt: number,
    spent: number,
    bytes: number,
    code: text,
    message: text,
  },
  indexes: [],
} as const;

interface OldRow {
  id: string;
  kind: string;
  lane: string;
  target: string;
  body: Record<string, unknown>;
}

/** Leaves `rows` as that version would have queued them. */
async function leaveQueue(device: Device, userId: string, rows: OldRow[]): Promise<void> {
  const { indexedDB, IDBKeyRange, name } = device.storage;
  const database = await createRxDatabase({
    name: `${name}-${userId}`,
    storage: getRxStorageDexie({ indexedDB, IDBKeyRange }),
    multiInstance: false,
  });
  const { outbox } = (await database.addCollections({
    outbox: { schema: FIRST_OUTBOX },
  })) as unknown as { outbox: RxCollection };
  const rest = {
    state: "pending",
    attempts: 0,
    nextAt: 0,
    spent: 0,
    bytes: 0,
    code: "",
    message: "",
  };
  await outbox.bulkInsert(
    rows.map((row, at) => ({ ...rest, ...row, place: at + 1, createdAt: 1_700_000_000_000 + at })),
  );
  await database.close();
}

async function begin() {
  const network = createNetwork();
  const device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  const me = await signUp(client);
  await client.sync();
  await client.close();
  return { network, device, me };
}

test("a photo and a message that an earlier version queued are shown and sent once, files and all", async () => {
  const { network, device, me } = await begin();
  const person = newPerson();
  const made = await server.api("POST", "/api/collections/users/records", person);
  const chat = conversationId(me.id, made.body.id);
  const { media, caption, tags } = photo("From an earlier version");
  const { file, thumbnail, preview, ...about } = media;
  const mediaId = "oldmedia0000000";
  const files = { file: `${mediaId}/file`, thumbnail: `${mediaId}/thumbnail`, preview: "" };
  const store = await openDeviceStore(device.storage, `${device.storage.name}-${me.id}`);
  await store.putBlob(files.file, file);
  if (thumbnail !== null) await store.putBlob(files.thumbnail, thumbnail);
  store.close();
  const create = { conversationId: chat, userId: me.id, otherId: made.body.id };
  const said = { messageId: "oldmessage00000", conversationId: chat, userId: me.id, text: "Hello" };
  const shot = { ...about, mediaId, userId: me.id, username: me.username, caption, tags, files };
  await leaveQueue(device, me.id, [
    {
      id: "intent000000001",
      kind: "conversation.create",
      lane: `chat:${chat}`,
      target: chat,
      body: create,
    },
    {
      id: "intent000000002",
      kind: "message.send",
      lane: `chat:${chat}`,
      target: said.messageId,
      body: said,
    },
    {
      id: "intent000000003",
      kind: "media.create",
      lane: `media:${mediaId}`,
      target: mediaId,
      body: { ...shot, alt: "", fileSize: file.size },
    },
  ]);

  network.intercept = cut;
  client = device.start();
  const queue = await until(client.outbox.watch(), ({ items }) => items.length === 3);
  expect(queue.items.map(({ label }) => label)).toEqual(["", "Hello", caption]);
  await client.close();

  network.intercept = null;
  client = device.start();
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
  const { body } = await server.api("GET", `/api/collections/media/records/${mediaId}`);
  expect(body).toMatchObject({ userId: me.id, caption, fileSize: file.size });
  const token = JSON.parse([...device.local.values()][0] ?? "{}").token as string;
  const sent = await server.api("GET", "/api/collections/messages/records", undefined, token);
  expect(sent.body.items).toMatchObject([{ id: said.messageId, message: "Hello" }]);
  const posts = network.seen.filter(
    ({ method, path }) => method === "POST" && path === "/api/media",
  );
  expect(posts).toHaveLength(1);
});

test("what a tab of the earlier version queues after that comes with the next start", async () => {
  const { device, me } = await begin();
  client = device.start();
  await until(client.outbox.watch(), (outbox) => outbox.ready);
  await client.close();
  const other = await server.api("POST", "/api/collections/users/records", newPerson());
  const body = { userId: me.id, otherId: other.body.id, on: true };
  await leaveQueue(device, me.id, [
    {
      id: "intent000000009",
      kind: "follow.set",
      lane: `person:${body.otherId}`,
      target: body.otherId,
      body,
    },
  ]);
  client = device.start();
  const followers = async () =>
    (await server.api("GET", `/api/collections/profiles/records/${body.otherId}`)).body.followers;
  await expect.poll(followers).toBe(1);
});
