import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
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
});
