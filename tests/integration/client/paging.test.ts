import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { ready } from "./live";
import { createNetwork } from "./network";
import { newPerson, PASSWORD } from "./people";

const TOTAL = 700;
const all = { filter: "all", sort: "latest", limit: 1000 } as const;

let server: PocketBase;
let client: Client;
let me: { id: string; email: string };
let other: string;
beforeAll(async () => {
  server = await startPocketBase();
  const admin = await createSuperuser(server);
  const ids: string[] = [];
  for (const person of [newPerson(), newPerson()]) {
    const made = await server.api("POST", "/api/collections/users/records", person);
    ids.push(made.body.id);
    me = { id: made.body.id, email: person.email };
  }
  other = ids[0] ?? "";
  // The other's are a minute apart; mine are the three oldest.
  await sql(
    server,
    admin.token,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${TOTAL})
     INSERT INTO media (id, userId, username, caption, tags, type, file, createdAt, updatedAt)
     SELECT printf('m%014d', i), iif(i <= 3, '${me.id}', '${other}'), 'x', 'No ' || i, '[]',
       iif(i % 7 = 0, 'video', 'photo'), 'x.jpg',
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i * 60, 'unixepoch'),
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i * 60, 'unixepoch') FROM n`,
  );
  client = createDevice(server.url).start();
  const signedIn = await client.auth.signIn(me.email, PASSWORD);
  if (!signedIn.success) throw new Error(signedIn.error);
  await client.sync();
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const numbers = (items: { caption: string }[]) =>
  items.map((item) => Number(item.caption.slice(3)));
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_none, i) => from - i);

test("a first pull brings the newest, and no older one stands among them before its place is reached", async () => {
  const page = await ready(client.reads.watchFeed(all));
  expect(numbers(page.items)).toEqual(down(700, 401));
  const own = await ready(client.reads.watchFeed({ ...all, userId: me.id }));
  expect(numbers(own.items)).toEqual([3, 2, 1]);
});

test("what is already here is not asked for again", async () => {
  await server.stop();
  expect(await client.reads.pullOlderMedia({ ...all, limit: 60 })).toMatchObject({ success: true });
  expect(await client.reads.pullOlderMedia({ ...all, limit: 400 })).toMatchObject({
    success: false,
  });
  await server.restart();
});

test("a filtered page that is short says so, and is filled from the server", async () => {
  const videos = { ...all, filter: "videos", limit: 50 } as const;
  const short = await ready(client.reads.watchFeed(videos));
  expect([short.items.length, short.older]).toEqual([43, true]);
  expect(await client.reads.pullOlderMedia(videos)).toMatchObject({ success: true });
  const page = await ready(client.reads.watchFeed(videos), ({ items }) => items.length === 50);
  expect([numbers(page.items).at(-1), page.older]).toEqual([357, false]);
});

test("older pages follow without a gap down to the end", async () => {
  let more = true;
  for (let asked = 0; more && asked < 10; asked++) {
    const pulled = await client.reads.pullOlderMedia(all);
    if (!pulled.success) throw new Error(pulled.error);
    more = pulled.value.more;
    const page = await ready(client.reads.watchFeed(all));
    expect(numbers(page.items)).toEqual(down(700, 701 - page.items.length));
  }
  const page = await ready(client.reads.watchFeed(all), ({ items }) => items.length === TOTAL);
  expect(page.hasMore).toBe(false);
});

test("a filtered list holds its kind alone, newest first", async () => {
  const videos = await ready(client.reads.watchFeed({ ...all, filter: "videos" }));
  expect(numbers(videos.items)).toEqual(down(100, 1).map((n) => n * 7));
  const few = await ready(client.reads.watchFeed({ ...all, filter: "photos", limit: 3 }));
  expect(few.hasMore).toBe(true);
  expect(numbers(few.items)).toEqual([699, 698, 697]);
});

test("a new device shows the first 30 with one answer, before any other has come", async () => {
  // One at a time: only so many collections may be open in a process.
  await client.close();
  const network = createNetwork();
  const nobody = createDevice(server.url, { fetch: network.fetch }).start();
  const answered: string[] = [];
  let shown = () => {};
  const others = new Promise<void>((resolve) => {
    shown = resolve;
  });
  network.intercept = async ({ path }, send) => {
    if (!path.includes("perPage=30&")) await others;
    answered.push(path);
    return send();
  };
  const page = await ready(nobody.reads.watchFeed({ ...all, limit: 30 }));
  expect(numbers(page.items)).toEqual(down(700, 671));
  expect(answered).toHaveLength(1);
  shown();
  await ready(nobody.reads.watchFeed(all), ({ items }) => items.length === 300);
  await nobody.close();
});

test("rows of somebody who is blocked fill no page: what is behind them is asked for", async () => {
  const late = createDevice(server.url).start();
  await late.auth.signIn(me.email, PASSWORD);
  await late.sync();
  const page = { ...all, limit: 30 };
  await ready(late.reads.watchFeed(page), ({ items }) => items.length === 30);
  await late.writes.blockUser(other);
  await ready(late.reads.watchFeed(page), ({ items }) => items.length === 0);
  let older = true;
  for (let asked = 0; older && asked < 10; asked++) {
    await late.reads.pullOlderMedia(page);
    older = (await ready(late.reads.watchFeed(page))).older;
  }
  const own = await ready(late.reads.watchFeed(page), ({ items }) => items.length > 0);
  expect(numbers(own.items)).toEqual([3, 2, 1]);
  await late.close();
});
