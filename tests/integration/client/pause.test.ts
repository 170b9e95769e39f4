import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { MB, UPLOAD_CHUNK_BYTES } from "@/domain/limits";
import { createDevice, type Device } from "./device";
import { found, until } from "./live";
import { createNetwork, type Network } from "./network";
import { signUp, video } from "./people";

let server: PocketBase;
let network: Network;
let device: Device;
let client: Client;
beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  await signUp(client);
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

/** Two chunks and a little: a video with a box of padding behind it. */
function longVideo(caption: string) {
  const draft = video(caption);
  const padding = new Uint8Array(11 * MB);
  new DataView(padding.buffer).setUint32(0, padding.byteLength);
  padding.set(new TextEncoder().encode("free"), 4);
  const file = new Blob([draft.media.file, padding], { type: draft.media.contentType });
  return { ...draft, media: { ...draft.media, file } };
}

const chunks = () => network.seen.filter(({ method }) => method === "PATCH");

test("a paused upload stops, keeps what it sent, lets others pass, survives a restart, and goes on where it was", async () => {
  let secondChunk = () => {};
  const reached = new Promise<void>((resolve) => {
    secondChunk = resolve;
  });
  let isHeld = true;
  network.intercept = ({ method }) => {
    if (method !== "PATCH" || chunks().length === 0 || !isHeld) return null;
    secondChunk();
    return new Promise(() => {});
  };
  const draft = longVideo("Paused on the train");
  const queued = await client.writes.uploadMedia(draft);
  if (!queued.success) throw new Error(queued.error);
  const { mediaId, intentId } = queued.value;
  await reached;
  await client.outbox.pause(intentId);
  const paused = await until(client.outbox.watch(), ({ items }) => items[0]?.state === "paused");
  expect(paused.items[0]).toMatchObject({ id: intentId, held: true });
  isHeld = false;

  await client.close();
  client = device.start();
  const later = await until(client.outbox.watch(), ({ items }) => items[0]?.state === "paused");
  expect(later.items[0]?.progress).toBe(40);

  await client.writes.setLike(mediaId, true);
  const other = await client.writes.uploadMedia(video("Passes by"));
  if (!other.success) throw new Error(other.error);
  await client.outbox.drain();
  await found(client.reads.watchMedia(other.value.mediaId), (medium) => medium.pending === null);
  const before = chunks().length;
  const held = await until(client.outbox.watch(), ({ items }) => items.length === 2);
  expect(held.items).toMatchObject([{ state: "paused" }, { kind: "like.set", state: "queued" }]);
  expect(client.connection.getSnapshot()).toBe("online");

  await client.outbox.resume(intentId);
  const medium = client.reads.watchMedia(mediaId);
  await found(medium, (now) => now.pending === null && now.liked && now.likes === 1);
  const rest = chunks().slice(before);
  expect(rest.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
    draft.media.file.size - UPLOAD_CHUNK_BYTES,
  );
});
