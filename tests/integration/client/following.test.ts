/** What those post whom one follows, as a list of its own: its pages, its end, and what a follow changes. */
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { ready, sent, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { newPerson, PASSWORD, signUp } from "./people";

const TOTAL = 700;
/** One of them is Ada's. */
const TAGGED = [11, 121, 300, 349];
const list = { filter: "all", sort: "following", limit: 1000 } as const;

let server: PocketBase;
let network: Network;
let client: Client;
let me: { email: string };
let [ada, ben, stranger] = ["", "", ""];

beforeAll(async () => {
  server = await startPocketBase();
  const admin = await createSuperuser(server);
  const made = [newPerson(), newPerson(), newPerson()].map((person) =>
    server.api("POST", "/api/collections/users/records", person),
  );
  [ada = "", ben = "", stranger = ""] = (await Promise.all(made)).map(({ body }) => body.id);
  // A minute apart. The newest 350 are a stranger's: what a device holds at first has none of theirs.
  await sql(
    server,
    admin.token,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${TOTAL})
     INSERT INTO media (id, userId, username, caption, tags, type, file, createdAt, updatedAt)
     SELECT printf('m%014d', i),
       CASE WHEN i > 350 THEN '${stranger}' WHEN i % 5 = 0 THEN '${ada}'
         WHEN i % 7 = 0 THEN '${ben}' ELSE '${stranger}' END,
       'x', 'No ' || i, iif(i IN (${TAGGED}), '["Küste"]', '[]'), iif(i % 2 = 0, 'video', 'photo'), 'x.jpg',
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i * 60, 'unixepoch'),
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i * 60, 'unixepoch') FROM n`,
  );
  await sql(
    server,
    admin.token,
    `INSERT INTO _media_tags SELECT 'kuste', createdAt, id, userId, 'Küste' FROM media
     WHERE tags != '[]'`,
  );
});
beforeEach(async () => {
  network = createNetwork();
  // Without a screen nothing is fetched ahead.
  client = createDevice(server.url, { fetch: network.fetch, hasScreen: false }).start();
  me = await signUp(client);
  await client.sync();
  return () => client.close();
});
afterAll(() => server?.stop());

const numbers = (items: { caption: string }[]) =>
  items.map((item) => Number(item.caption.slice(3)));
const down = (isOne: (n: number) => boolean) =>
  Array.from({ length: 350 }, (_none, at) => 350 - at).filter(isOne);
const ofAda = (n: number) => n % 5 === 0;
const ofBen = (n: number) => n % 7 === 0 && !ofAda(n);

async function follow(whom: string): Promise<void> {
  await client.writes.followUser(whom);
  await sent(client);
  await client.sync();
}

async function readAll(query: Parameters<Client["reads"]["pullOlderMedia"]>[0] = list) {
  for (let more = true; more; ) {
    const pulled = await client.reads.pullOlderMedia(query);
    if (!pulled.success) throw new Error(pulled.error);
    ({ more } = pulled.value);
  }
}

test("who follows nobody has an empty list, and asks nobody", async () => {
  const page = await ready(client.reads.watchFeed(list));
  expect([page.items, page.hasMore]).toEqual([[], false]);
  const from = network.seen.length;
  await readAll();
  expect(network.seen.slice(from)).toEqual([]);
});

test("pages follow without a gap down to the end, and stay without a network", async () => {
  await follow(ada);
  const short = await ready(client.reads.watchFeed(list), ({ older }) => older);
  expect(short.items).toEqual([]);
  const first = await client.reads.pullOlderMedia(list);
  expect(first).toMatchObject({ success: true, value: { more: true } });
  const page = await ready(client.reads.watchFeed(list), ({ items }) => items.length > 0);
  expect(numbers(page.items)).toEqual(down(ofAda).slice(0, 60));
  await readAll();
  network.intercept = cut;
  const whole = await ready(client.reads.watchFeed(list), ({ items }) => items.length === 70);
  expect([numbers(whole.items), whole.older]).toEqual([down(ofAda), false]);
  const videos = await ready(client.reads.watchFeed({ ...list, filter: "videos" }));
  expect(numbers(videos.items)).toEqual(down((n) => ofAda(n) && n % 2 === 0));
});

test("whoever is followed later comes in at their places, and goes at once", async () => {
  await follow(ada);
  await readAll();
  await follow(ben);
  // Ben's are missing in what was read: nothing of it is shown as if it were all.
  const short = await ready(client.reads.watchFeed(list), ({ older }) => older);
  expect(short.items).toEqual([]);
  await readAll();
  const both = await ready(client.reads.watchFeed(list), ({ items }) => items.length > 100);
  expect(numbers(both.items)).toEqual(down((n) => ofAda(n) || ofBen(n)));
  network.intercept = cut;
  await client.writes.unfollowUser(ada);
  const left = await ready(client.reads.watchFeed(list), ({ items }) => items.length < 100);
  expect(numbers(left.items)).toEqual(down(ofBen));
});

test("what somebody posts who was followed just now is here without a network", async () => {
  await client.writes.followUser(ada);
  await client.reads.pullNewlyFollowed(ada);
  network.intercept = cut;
  const page = await ready(client.reads.watchFeed(list), ({ items }) => items.length > 0);
  expect(numbers(page.items)).toEqual(down(ofAda).slice(0, 60));
  const theirs = { ...list, sort: "latest", userId: ada } as const;
  const profile = await ready(client.reads.watchFeed(theirs), ({ items }) => items.length > 0);
  expect(profile.items.length).toBeGreaterThanOrEqual(20);
});

test("a device that starts fetches it before anybody looks", async () => {
  await follow(ada);
  await client.close();
  const delay = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  client = createDevice(server.url, { fetch: network.fetch, delay }).start();
  await client.auth.signIn(me.email, PASSWORD);
  const page = await ready(client.reads.watchFeed(list), ({ items }) => items.length > 0);
  expect(numbers(page.items)).toEqual(down(ofAda).slice(0, 60));
});

test("who has read on among the videos alone misses no photo of theirs", async () => {
  await follow(ada);
  for (const sort of ["latest", "following"] as const) {
    const pulled = await client.reads.pullOlderMedia({ filter: "videos", sort, limit: 1000 });
    expect(pulled.success).toBe(true);
  }
  await readAll();
  const whole = await ready(client.reads.watchFeed(list), ({ items }) => items.length > 0);
  expect([numbers(whole.items), whole.older]).toEqual([down(ofAda), false]);
});

test("a tag is followed without a network, and what has it comes in between", async () => {
  network.intercept = cut;
  await client.writes.followTag("Küste", true);
  const { items } = await until(client.outbox.watch(), (queue) => queue.items.length === 1);
  expect(items[0]?.label).toBe("#Küste");
  expect(await ready(client.reads.watchRelation("#kuste"))).toMatchObject({ following: true });
  network.intercept = null;
  await sent(client);
  await client.sync();
  await follow(ada);
  await readAll();
  network.intercept = cut;
  const whole = await ready(client.reads.watchFeed(list), ({ items }) => items.length > 0);
  expect([numbers(whole.items), whole.older]).toEqual([
    down((n) => ofAda(n) || TAGGED.includes(n)),
    false,
  ]);
  await until(client.reads.watchFollowedTags(), (tags) => tags.join() === "Küste");
  await client.writes.followTag("KÜSTE", false);
  const left = await ready(client.reads.watchFeed(list), ({ items }) => items.length === 70);
  expect(numbers(left.items)).toEqual(down(ofAda));
});

test("people alone are counted and listed as followed", async () => {
  await follow(ada);
  await client.writes.followTag("ridge", true);
  const listed = () => ready(client.reads.watchPeople("following", 10));
  expect((await listed()).items.map(({ id }) => id)).toEqual([ada]);
  await sent(client);
  await client.sync();
  expect((await listed()).total).toBe(1);
});

test("what is here is not asked for again", async () => {
  await follow(ada);
  await readAll();
  const from = network.seen.length;
  expect(await client.reads.pullOlderMedia({ ...list, limit: 30 })).toMatchObject({
    success: true,
  });
  expect(network.seen.slice(from)).toEqual([]);
});

test("the server says whom one might follow, and their profiles are here then", async () => {
  const said = await client.reads.suggestPeople();
  expect(said).toEqual({ success: true, value: [stranger, ada, ben] });
  await follow(stranger);
  expect(await client.reads.suggestPeople()).toEqual({ success: true, value: [ada, ben] });
});
