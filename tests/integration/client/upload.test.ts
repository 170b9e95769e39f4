import { ascii, joinBytes, SECRET } from "@tests/support/exif";
import { pass, startFaultProxy } from "@tests/support/fault-proxy";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { stripVideo } from "@/data/files/strip-video";
import { detectFile } from "@/domain/media-files";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { photo, signUp, video } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
const open: Client[] = [];
beforeAll(async () => {
  server = await startPocketBase();
});
afterAll(async () => {
  await server?.stop();
});

/** The captions of somebody's media, in the order in which the server dates them. */
async function datedOf(userId: string): Promise<string[]> {
  const query = `sort=createdAt&filter=${encodeURIComponent(`userId = "${userId}"`)}`;
  const { body } = await server.api("GET", `/api/collections/media/records?${query}`);
  return body.items.map(({ caption }: { caption: string }) => caption);
}

/** Rows of this caption on the server. */
async function rowsOf(caption: string): Promise<{ id: string; userId: string }[]> {
  const filter = encodeURIComponent(`caption = "${caption}"`);
  const { body } = await server.api("GET", `/api/collections/media/records?filter=${filter}`);
  return body.items;
}

describe("an upload", () => {
  test("stands in the feed at once and comes back from the server as one row", async () => {
    const device = createDevice(server.url);
    const client = device.start();
    open.push(client);
    await signUp(client);
    const feed = client.reads.watchFeed(newest);
    const queued = await client.writes.uploadMedia(photo("A first photo"));
    if (!queued.success) throw new Error(queued.error);
    const { mediaId } = queued.value;
    const before = await ready(feed, (page) => page.items.some((item) => item.id === mediaId));
    expect(before.items.find((item) => item.id === mediaId)?.pending).not.toBeNull();

    const medium = await found(client.reads.watchMedia(mediaId), (item) => item.pending === null);
    expect(medium).toMatchObject({
      id: mediaId,
      caption: "A first photo",
      tags: ["sky", "sea"],
      type: "photo",
      width: 64,
      height: 48,
      likes: 0,
    });
    expect((await fetch(medium.url)).status).toBe(200);
    expect((await fetch(medium.thumbnailUrl)).status).toBe(200);
    expect(await rowsOf("A first photo")).toHaveLength(1);
    await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
    expect(device.complaints).toEqual([]);
    await client.close();
  });

  test("made while the server is gone survives a restart of the app and is sent once", async () => {
    const device = createDevice(server.url);
    const first = device.start();
    await signUp(first);
    await first.sync();
    await server.stop();
    const queued = await first.writes.uploadMedia(video("A video from the train"));
    if (!queued.success) throw new Error(queued.error);
    await until(first.outbox.watch(), (outbox) => outbox.waiting === 1);
    await first.close();

    const second = device.start();
    const feed = second.reads.watchFeed(newest);
    const offline = await ready(feed, (page) => page.items.length > 0);
    expect(offline.items[0]).toMatchObject({ caption: "A video from the train" });
    expect(offline.items[0]?.pending).not.toBeNull();
    await server.restart();
    const { mediaId } = queued.value;
    await found(second.reads.watchMedia(mediaId), (item) => item.pending === null);
    expect(await rowsOf("A video from the train")).toHaveLength(1);
    await second.close();
  });

  test("arrives behind what was chosen before it, also where that has to be tried again", async () => {
    const proxy = await startFaultProxy({ target: server.url });
    const client = createDevice(proxy.url).start();
    const { id } = await signUp(client);
    await client.sync();
    let finished = 0;
    // The film's first finish and the first photo's second one get no answer that counts.
    proxy.decide = ({ method, path }) => {
      if (method !== "POST" || path !== "/api/media") return pass();
      finished += 1;
      return finished === 1 || finished === 3 ? { kind: "status", status: 503 } : pass();
    };
    const refused = { ...photo("refused"), tags: [] };
    refused.media = { ...refused.media, file: new Blob(["no picture"], { type: "image/jpeg" }) };
    for (const draft of [video("a film"), photo("one"), refused, photo("two"), photo("three")]) {
      const queued = await client.writes.uploadMedia(draft);
      if (!queued.success) throw new Error(queued.error);
    }
    await until(client.outbox.watch(), ({ ready, items }) => ready && items.length === 1);
    expect(finished).toBeGreaterThan(5);
    expect(await datedOf(id)).toEqual(["a film", "one", "two", "three"]);
    await client.close();
    await proxy.close();
  });

  test("of a video that an earlier version stripped of less is stripped again and sent", async () => {
    const plain = mediaFixture("video.mp4");
    const padding = joinBytes(Uint8Array.of(0, 0, 0, 8 + SECRET.length), ascii(`free${SECRET}`));
    const older = video("A film of a dashcam");
    const file = new Blob([plain, padding], { type: "video/mp4" });
    const device = createDevice(server.url, {
      strip: async (stored) => {
        const bytes = new Uint8Array(await stored.arrayBuffer());
        const detected = detectFile(bytes.subarray(0, 64));
        if (detected === null) throw new Error("no video");
        return stripVideo((at, length) => bytes.subarray(at, at + length), stored, detected);
      },
    });
    const client = device.start();
    await signUp(client);
    const queued = await client.writes.uploadMedia({ ...older, media: { ...older.media, file } });
    if (!queued.success) throw new Error(queued.error);
    const { mediaId } = queued.value;
    const { url } = await found(client.reads.watchMedia(mediaId), (item) => item.pending === null);
    const sent = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(sent.length).toBe(file.size);
    expect(sent.includes(SECRET)).toBe(false);
    expect(sent.subarray(0, plain.length).equals(plain)).toBe(true);
    await client.close();
  });
});
