import { createHash } from "node:crypto";
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { UploadDraft } from "@/data/shapes";
import { MB } from "@/domain/limits";
import { createDevice, type Device } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, loseAnswer, type Network, portal } from "./network";
import { PASSWORD, photo, signUp, video } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let network: Network;
let device: Device;
const running = new Set<Client>();
beforeAll(async () => {
  server = await startPocketBase();
});
afterEach(async () => {
  for (const client of running) await client.close();
  running.clear();
});
afterAll(async () => {
  await server?.stop();
});

function newDevice(): Device {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  return device;
}

function start(): Client {
  const client = device.start();
  running.add(client);
  return client;
}

async function stop(client: Client): Promise<void> {
  await client.close();
  running.delete(client);
}

async function upload(client: Client, draft: UploadDraft): Promise<string> {
  const queued = await client.writes.uploadMedia(draft);
  if (!queued.success) throw new Error(queued.error);
  return queued.value.mediaId;
}

/** Rows of this caption on the server. */
async function rowsOf(caption: string): Promise<{ id: string; userId: string }[]> {
  const filter = encodeURIComponent(`caption = "${caption}"`);
  const { body } = await server.api("GET", `/api/collections/media/records?filter=${filter}`);
  return body.items;
}

describe("an answer that never comes", () => {
  test("to the finish leaves one row, and the file is sent once", async () => {
    newDevice();
    const client = start();
    await signUp(client);
    let lost = 0;
    network.intercept = ({ method, path }, send) => {
      if (method !== "POST" || path !== "/api/media" || lost > 0) return null;
      lost += 1;
      return loseAnswer(send);
    };
    const mediaId = await upload(client, photo("Acked into the void"));
    await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
    expect(lost).toBe(1);
    expect(await rowsOf("Acked into the void")).toHaveLength(1);
    const sent = network.seen.filter(({ method }) => method === "PATCH");
    expect(sent).toHaveLength(1);
  });

  test("to a like or to its removal ends in what the person wanted", async () => {
    newDevice();
    const client = start();
    await signUp(client);
    const mediaId = await upload(client, photo("Like me"));
    const medium = client.reads.watchMedia(mediaId);
    await found(medium, (now) => now.pending === null);
    let lost = 0;
    network.intercept = ({ method, path }, send) => {
      if (!path.startsWith("/api/collections/likes/records") || method === "GET") return null;
      lost += 1;
      return lost % 2 === 1 ? loseAnswer(send) : null;
    };
    await client.writes.setLike(mediaId, true);
    await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.waiting === 0);
    await found(medium, (now) => now.liked && now.likes === 1);
    await client.writes.setLike(mediaId, false);
    await found(medium, (now) => !now.liked);
    await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.waiting === 0);
    await client.sync();
    expect((await found(medium)).likes).toBe(0);
    const { body } = await server.api("GET", `/api/collections/media/records/${mediaId}`);
    expect(body.likes).toBe(0);
    expect(lost).toBeGreaterThanOrEqual(3);
  });
});

test("an upload that is cut goes on after a restart where it stopped", async () => {
  newDevice();
  const first = start();
  await signUp(first);
  const draft = longVideo("Cut in two");
  let patches = 0;
  network.intercept = ({ method }) => {
    if (method !== "PATCH") return null;
    patches += 1;
    return patches === 2 ? cut() : patches > 2 ? cut() : null;
  };
  const mediaId = await upload(first, draft);
  await until(first.outbox.watch(), (outbox) => (outbox.items[0]?.attempts ?? 0) > 0);
  await stop(first);
  network.intercept = null;
  const second = start();
  const medium = await found(second.reads.watchMedia(mediaId), (now) => now.pending === null);
  const bytes = network.seen.reduce(
    (sum, request) => sum + (request.method === "PATCH" ? request.bytes : 0),
    0,
  );
  expect(bytes).toBe(draft.media.file.size);
  expect(await hashOf(await (await fetch(medium.url)).blob())).toBe(await hashOf(draft.media.file));
});

test("a chunk that arrives twice, and answers that it is in another place, ends in one whole file", async () => {
  newDevice();
  const client = start();
  await signUp(client);
  let twice = 0;
  network.intercept = ({ method }, send) => {
    if (method !== "PATCH" || twice > 0) return null;
    twice += 1;
    return send().then(async (first) => {
      await first.arrayBuffer();
      return send();
    });
  };
  const draft = longVideo("Twice the same");
  const mediaId = await upload(client, draft);
  const medium = await found(client.reads.watchMedia(mediaId), (now) => now.pending === null);
  expect(twice).toBe(1);
  expect(await hashOf(await (await fetch(medium.url)).blob())).toBe(await hashOf(draft.media.file));
  expect(await rowsOf("Twice the same")).toHaveLength(1);
});

/** More than two chunks: a video with a box of padding behind it. */
function longVideo(caption: string): UploadDraft {
  const draft = video(caption);
  const padding = new Uint8Array(11 * MB);
  new DataView(padding.buffer).setUint32(0, padding.byteLength);
  padding.set(new TextEncoder().encode("free"), 4);
  const file = new Blob([draft.media.file, padding], { type: draft.media.contentType });
  return { ...draft, media: { ...draft.media, file } };
}

const hashOf = async (blob: Blob): Promise<string> =>
  createHash("sha256")
    .update(new Uint8Array(await blob.arrayBuffer()))
    .digest("hex");

test("a portal's pages are no answer: nothing goes, nothing is lost, and it is called offline", async () => {
  newDevice();
  const client = start();
  await signUp(client);
  const kept = await upload(client, photo("Before the hotel"));
  await found(client.reads.watchMedia(kept), (medium) => medium.pending === null);
  network.intercept = portal;
  const mediaId = await upload(client, photo("In the hotel"));
  await until(client.connection, (connection) => connection === "offline");
  const waiting = await until(
    client.outbox.watch(),
    (outbox) => outbox.items[0]?.state === "waiting",
  );
  expect(waiting.refused).toBe(0);
  expect(await client.sync()).toMatchObject({ success: false, error: "network" });
  const page = await ready(client.reads.watchFeed(newest));
  expect(page.items.map((item) => item.caption)).toEqual(
    expect.arrayContaining(["In the hotel", "Before the hotel"]),
  );
  network.intercept = null;
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  expect(client.connection.getSnapshot()).toBe("online");
  expect(await rowsOf("In the hotel")).toHaveLength(1);
});

test("an ended session asks to sign in, keeps what is here, and sends as the same person after", async () => {
  newDevice();
  const admin = await createSuperuser(server);
  const client = start();
  const person = await signUp(client);
  const kept = await upload(client, photo("From before"));
  await found(client.reads.watchMedia(kept), (medium) => medium.pending === null);
  network.intercept = cut;
  const mediaId = await upload(client, photo("Written while it ended"));
  await until(client.connection, (connection) => connection === "offline");
  const password = `${PASSWORD}-new`;
  const changed = await server.api(
    "PATCH",
    `/api/collections/users/records/${person.id}`,
    { password, passwordConfirm: password },
    admin.token,
  );
  expect(changed.status).toBe(200);
  network.intercept = null;
  await until(client.auth.session, (now) => now.state === "signed-in" && now.needsLogin);
  const page = await ready(client.reads.watchFeed(newest));
  expect(page.items.map((item) => item.id)).toEqual(expect.arrayContaining([kept, mediaId]));
  await until(client.outbox.watch(), (outbox) => outbox.items[0]?.state === "paused");
  expect(await rowsOf("Written while it ended")).toHaveLength(0);

  expect(await client.auth.signIn(person.email, password)).toMatchObject({ success: true });
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  expect(await rowsOf("Written while it ended")).toMatchObject([{ userId: person.id }]);
});
