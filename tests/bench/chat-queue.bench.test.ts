/** A long time without a network: 500 messages and 20 photos in five chats, sent while server and app are killed five times each. */
import { createDevice, type Device } from "@tests/integration/client/device";
import { until } from "@tests/integration/client/live";
import { createNetwork, cut } from "@tests/integration/client/network";
import { signUp as signUpOn } from "@tests/integration/client/people";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { valueIn } from "@tests/support/value-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";

const CHATS = 5;
const TEXTS = 500;
const PHOTOS = 20;
const KILLS = 10;

let server: PocketBase;
let superuser: string;
beforeAll(async () => {
  server = await startPocketBase();
  superuser = (await createSuperuser(server)).token;
  const limits = { writesPerMinute: 100_000, writesPer10Sec: 100_000 };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser);
});
afterAll(() => server?.stop());

const photo = () => ({
  file: new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }),
  thumbnail: new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }),
  contentType: "image/jpeg",
  originalFilename: "photo.jpg",
});

interface Row {
  conversationId: string;
  message: string;
  type: string;
  image: string;
}

const arrived = async (): Promise<Row[]> => {
  const query = "SELECT conversationId, message, type, image FROM messages ORDER BY ord";
  return (await sql(server, superuser, query)) as unknown as Row[];
};

/** Writes everything; by chat, in the order of writing. */
async function writeAll(client: Client): Promise<Map<string, string[]>> {
  const written = new Map<string, string[]>();
  for (let i = 0; i < CHATS; i++) {
    const { id } = await signUp(server);
    const started = await client.writes.createOrGetConversation(id);
    written.set(valueIn(started).conversationId, []);
  }
  const chats = [...written.keys()];
  for (let i = 0; i < TEXTS + PHOTOS; i++) {
    const chat = chats[i % CHATS] ?? "";
    const isPhoto = i % Math.floor((TEXTS + PHOTOS) / PHOTOS) === 7;
    const text = `${isPhoto ? "photo" : "text"} ${i}`;
    const { success } = isPhoto
      ? await client.writes.sendPhotoMessage(chat, photo(), text)
      : await client.writes.sendTextMessage(chat, text);
    expect(success).toBe(true);
    written.get(chat)?.push(text);
  }
  return written;
}

test("everything arrives within each chat exactly as written, each once", async () => {
  const network = createNetwork();
  let device: Device = createDevice(server.url, { fetch: network.fetch });
  let client = device.start();
  await signUpOn(client);
  await client.sync();
  network.intercept = cut;
  await client.sync();
  const written = await writeAll(client);
  expect(await arrived()).toEqual([]);
  network.intercept = null;
  const began = performance.now();
  await client.sync();
  await client.outbox.drain();
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = ((TEXTS + PHOTOS) * (kill + 1)) / (KILLS + 2);
    await expect
      .poll(async () => (await arrived()).length, { timeout: 240_000, interval: 20 })
      .toBeGreaterThan(goal);
    if (kill % 2 === 0) {
      await server.kill();
      await server.restart();
    } else {
      const later = await device.afterCrash();
      await client.close();
      device = later;
      client = device.start();
    }
    await client.sync();
    await client.outbox.drain();
  }
  await until(client.outbox.watch(), ({ ready, items }) => ready && items.length === 0);
  const took = performance.now() - began;
  const rows = await arrived();
  for (const [chat, texts] of written) {
    const here = rows.filter((row) => row.conversationId === chat);
    expect(here.map(({ message }) => message)).toEqual(texts);
  }
  const photos = rows.filter(({ type }) => type === "photo");
  expect(photos.filter(({ image }) => image !== "")).toHaveLength(PHOTOS);
  expect(rows).toHaveLength(TEXTS + PHOTOS);
  process.stdout.write(
    `${rows.length} queued messages, ${KILLS} kills: 0 lost, 0 doubled, all in order, ${(took / 1000).toFixed(1)} s\n`,
  );
  await client.close();
}, 600_000);
