/** Posts on a device: queued, sent, and read as one entry of each list, however deep it reaches. */
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { FeedQuery, MediaView } from "@/data/shapes";
import { newId } from "@/domain/ids";
import { POST_MAX } from "@/domain/limits";
import { createDevice } from "./device";
import { ready, until, untilSent } from "./live";
import { createNetwork, cut } from "./network";
import { newPerson, photo, signUp, video } from "./people";

const POSTS = 40;
const all: FeedQuery = { filter: "all", sort: "latest", limit: 30 };
let server: PocketBase;
let owner: string;
const open: Client[] = [];

const startClient = (): Client => {
  const client = createDevice(server.url).start();
  open.push(client);
  return client;
};
const idsOf = (items: readonly MediaView[]) => items.map(({ id }) => id);
/** The fourth medium of the seventh post. */
const nameOf = (post: number, place: number) =>
  `p${String(post).padStart(12, "0")}${String(place).padStart(2, "0")}`;
const whole = (post: number) => Array.from({ length: 10 }, (_, place) => nameOf(post, place));

beforeAll(async () => {
  server = await startPocketBase();
  const admin = await createSuperuser(server);
  const person = await server.api("POST", "/api/collections/users/records", newPerson());
  owner = person.body.id;
  // Of each post the tenth is newest, and is a video; a minute lies between two media.
  await sql(
    server,
    admin.token,
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${10 * POSTS - 1})
     INSERT INTO media (id, userId, username, caption, tags, type, file, likes, post, postIndex,
       createdAt, updatedAt)
     SELECT printf('p%012d%02d', i / 10, i % 10), '${owner}', 'x', 'Post ' || (i / 10), '[]',
       iif(i % 10 = 9, 'video', 'photo'), 'x.jpg', 0, printf('post%011d', i / 10), i % 10,
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i * 60, 'unixepoch'),
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i * 60, 'unixepoch') FROM n`,
  );
});
// RxDB takes only so many collections at once: no two devices are open together.
const closeAll = async () => {
  for (const client of open.splice(0)) await client.close();
};
afterEach(closeAll);
afterAll(async () => {
  await server?.stop();
});

describe("a list of posts", () => {
  test("has as many as were asked for, each whole, down to the oldest, and none twice", async () => {
    const client = startClient();
    await client.sync();
    const first = await ready(client.reads.watchFeed({ ...all, limit: 7 }));
    expect(idsOf(first.items)).toEqual([39, 38, 37, 36, 35, 34, 33].map((post) => nameOf(post, 0)));
    for (const [i, { members = [] }] of first.items.entries()) {
      expect(idsOf(members)).toEqual(whole(39 - i));
    }
    expect(first.hasMore).toBe(true);
    const everything = { ...all, limit: 100 };
    const feed = client.reads.watchFeed(everything);
    let more = true;
    for (let asked = 0; more && asked < 10; asked++) {
      const pulled = await client.reads.pullOlderMedia(everything);
      if (!pulled.success) throw new Error(pulled.error);
      more = pulled.value.more;
    }
    const page = await ready(feed, ({ items }) => items.length === POSTS);
    expect(page.hasMore).toBe(false);
    const order = Array.from({ length: POSTS }, (_, i) => POSTS - 1 - i);
    expect(page.items.map(({ members = [] }) => idsOf(members))).toEqual(order.map(whole));
  });

  test("is filled from the server where its rows make too few entries", async () => {
    const client = startClient();
    await client.sync();
    const wanted = { ...all, limit: 35 };
    expect(await client.reads.pullOlderMedia(wanted)).toEqual({
      success: true,
      value: { more: false },
    });
    const page = await ready(client.reads.watchFeed(wanted), ({ items }) => items.length === 35);
    expect(page.items.at(-1)?.members).toHaveLength(10);
  });

  test("shows under a filter, of one person and by popularity what belongs there, once each", async () => {
    const client = startClient();
    await client.sync();
    const first = async (query: Partial<FeedQuery>) =>
      (await ready(client.reads.watchFeed({ ...all, limit: 3, ...query }))).items;
    const videos = await first({ filter: "videos" });
    expect(idsOf(videos)).toEqual([39, 38, 37].map((post) => nameOf(post, 9)));
    expect(videos.every(({ members }) => members === undefined)).toBe(true);
    const [photos] = await first({ filter: "photos" });
    expect(idsOf(photos?.members ?? [])).toEqual(whole(39).slice(0, 9));
    expect(idsOf(await first({ userId: owner }))).toEqual(
      [39, 38, 37].map((post) => nameOf(post, 0)),
    );
    await client.reads.pullOlderMedia({ ...all, sort: "popular" });
    const popular = await first({ sort: "popular", limit: 30 });
    expect(new Set(popular.map(({ post }) => post)).size).toBe(popular.length);
  });

  test("counts a post once among what a search finds", async () => {
    const client = startClient();
    await client.sync();
    const query = { text: "Post 39", filter: "all", limit: 30 } as const;
    const found = client.reads.watchSearch(query);
    await client.reads.pullSearch(query);
    const page = await ready(found, ({ reach }) => reach === "everywhere");
    expect([page.count, idsOf(page.items)]).toEqual([1, [nameOf(39, 0)]]);
    expect(idsOf(page.items[0]?.members ?? [])).toEqual(whole(39));
  });

  test("gives a post whole to whoever comes by a link, and what is here without a server", async () => {
    const client = startClient();
    await client.sync();
    const post = "post00000000000";
    const members = client.reads.watchPost(post);
    expect(await ready(members)).toEqual([]);
    expect(await client.reads.pullPost(post)).toMatchObject({ success: true });
    expect(idsOf(await ready(members, (rows) => rows.length > 0))).toEqual(whole(0));
    await server.stop();
    expect(await client.reads.pullPost("post00000000001")).toMatchObject({ success: false });
    expect(await ready(members)).toHaveLength(10);
    await server.restart();
  });
});

describe("a post that is made", () => {
  test("without a network is one entry at once, arrives once, and reaches another device whole", async () => {
    const network = createNetwork();
    const mine = createDevice(server.url, { fetch: network.fetch }).start();
    open.push(mine);
    const me = await signUp(mine);
    await mine.sync();
    network.intercept = cut;
    const id = newId(Math.random);
    const drafts = [photo("Trip"), video("Trip"), photo("Trip")];
    for (const [index, draft] of drafts.entries()) {
      const queued = await mine.writes.uploadMedia({ ...draft, post: { id, index } });
      expect(queued.success).toBe(true);
    }
    const own = { ...all, userId: me.id };
    const [waiting] = (await ready(mine.reads.watchFeed(own), ({ items }) => items.length > 0))
      .items;
    expect(waiting?.members?.map(({ type, pending }) => [type, pending === null])).toEqual([
      ["photo", false],
      ["video", false],
      ["photo", false],
    ]);
    network.intercept = null;
    await mine.sync();
    await untilSent(mine);
    const filter = encodeURIComponent(`post = '${id}'`);
    const { items } = (await server.api("GET", `/api/collections/media/records?filter=${filter}`))
      .body;
    expect(items.map((row: { postIndex: number }) => row.postIndex).sort()).toEqual([0, 1, 2]);
    await closeAll();
    const other = startClient();
    await other.sync();
    const [seen] = (await ready(other.reads.watchFeed(own), (page) => page.items.length > 0)).items;
    expect(seen?.members?.map(({ postIndex }) => postIndex)).toEqual([0, 1, 2]);
  });

  test("has at most ten media, and no place twice: the second stays in the queue with its reason", async () => {
    const client = startClient();
    await signUp(client);
    const id = newId(Math.random);
    const draft = photo("Twice");
    const late = await client.writes.uploadMedia({ ...draft, post: { id, index: POST_MAX } });
    expect(late).toMatchObject({ success: false, error: "post_full" });
    await client.writes.uploadMedia({ ...draft, post: { id, index: 4 } });
    await untilSent(client);
    await client.writes.uploadMedia({ ...draft, post: { id, index: 4 } });
    const queue = await until(client.outbox.watch(), ({ refused }) => refused === 1);
    expect(queue.items[0]?.code).toBe("post_taken");
  });
});
