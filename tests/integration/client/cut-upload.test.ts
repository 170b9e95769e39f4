/** An upload whose connection ends in the middle, or loses bytes, through a real proxy that cuts at a byte. */
import { type FaultProxy, startFaultProxy } from "@tests/support/fault-proxy";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { UploadDraft } from "@/data/shapes";
import { MB, UPLOAD_CHUNK_BYTES } from "@/domain/limits";
import { createDevice } from "./device";
import { found } from "./live";
import { photo, signUp, video } from "./people";

let server: PocketBase;
let proxy: FaultProxy;
let client: Client;
beforeAll(async () => {
  server = await startPocketBase();
  proxy = await startFaultProxy({ target: server.url });
  client = createDevice(proxy.url).start();
  await signUp(client);
  await client.sync();
});
afterAll(async () => {
  await client?.close();
  await proxy?.close();
  await server?.stop();
});

/** A video of two chunks: one with a box of padding behind it. */
function longVideo(caption: string): UploadDraft {
  const draft = video(caption);
  const padding = new Uint8Array(UPLOAD_CHUNK_BYTES + MB);
  new DataView(padding.buffer).setUint32(0, padding.byteLength);
  padding.set(new TextEncoder().encode("free"), 4);
  const file = new Blob([draft.media.file, padding], { type: draft.media.contentType });
  return { ...draft, media: { ...draft.media, file } };
}

/** Sends it with the `nth` chunk cut at byte `at`; answers how many bytes went twice. */
async function sentTwice(draft: UploadDraft, nth: number, at: number): Promise<number> {
  const from = proxy.seen.length;
  let chunks = 0;
  proxy.decide = ({ method }) => {
    if (method !== "PATCH") return { kind: "pass" };
    chunks += 1;
    return chunks === nth ? { kind: "cut-request", at } : { kind: "pass" };
  };
  const queued = await client.writes.uploadMedia(draft);
  if (!queued.success) throw new Error(queued.error);
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
  const sent = proxy.seen
    .slice(from)
    .reduce((sum, { method, bytes }) => sum + (method === "PATCH" ? bytes : 0), 0);
  return sent - draft.media.file.size;
}

test.each([
  ["first", 1, 0],
  ["first", 1, 1],
  ["first", 1, 65_537],
  ["first", 1, UPLOAD_CHUNK_BYTES - 1],
  ["last", 2, 700_001],
])("cut in its %s chunk (%i) at byte %i sends at most one chunk again", async (name, nth, at) => {
  const again = await sentTwice(longVideo(`Cut in the ${name} at ${at}`), nth, at);
  expect(again).toBeGreaterThanOrEqual(0);
  expect(again).toBeLessThanOrEqual(UPLOAD_CHUNK_BYTES);
});

test.each([
  ["in the middle of the first piece", 1, 2 * MB + 11, 5_000],
  ["at the end of the first piece", 1, UPLOAD_CHUNK_BYTES - 3, 3],
  ["at the start of the last piece", 2, 0, 1],
])("bytes lost %s are noticed, and the piece is sent again", async (name, nth, at, bytes) => {
  const draft = longVideo(`Lost ${name}`);
  const original = Buffer.from(await draft.media.file.arrayBuffer());
  const from = proxy.seen.length;
  let pieces = 0;
  proxy.decide = ({ method }) => {
    if (method !== "PATCH") return { kind: "pass" };
    pieces += 1;
    return pieces === nth ? { kind: "lose", at, bytes } : { kind: "pass" };
  };
  const queued = await client.writes.uploadMedia(draft);
  if (!queued.success) throw new Error(queued.error);
  const { mediaId } = queued.value;
  const medium = await found(client.reads.watchMedia(mediaId), (now) => now.pending === null);
  const sent = proxy.seen.slice(from).filter(({ method }) => method === "PATCH");
  expect(sent.map(({ status }) => status)).toContain(460);
  const stored = Buffer.from(await (await fetch(medium.url)).arrayBuffer());
  expect(stored.equals(original)).toBe(true);
});

test("a connection that never lasts for a whole piece brings a file in smaller ones", async () => {
  const draft = longVideo("Through a long tunnel");
  const from = proxy.seen.length;
  const most = 2.5 * MB;
  proxy.decide = ({ method, bytes }) =>
    method === "PATCH" && bytes > most ? { kind: "cut-request", at: most } : { kind: "pass" };
  const queued = await client.writes.uploadMedia(draft);
  if (!queued.success) throw new Error(queued.error);
  const { mediaId } = queued.value;
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  const arrived = proxy.seen
    .slice(from)
    .flatMap(({ method, status, bytes }) => (method === "PATCH" && status === 204 ? [bytes] : []));
  expect(arrived.slice(0, 3)).toEqual([MB / 4, MB / 2, MB]);
  expect(arrived.reduce((sum, bytes) => sum + bytes, 0)).toBe(draft.media.file.size);
});

test("a small file that is cut sends no more than itself again", async () => {
  const draft = photo("Small and cut");
  expect(await sentTwice(draft, 1, 300)).toBeLessThanOrEqual(draft.media.file.size);
});
