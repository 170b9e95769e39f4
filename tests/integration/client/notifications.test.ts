/** What one is told of, as the screens read it: grouped, read on all devices, and without a network. */
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp as signUpOnServer,
  startPocketBase,
} from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { newId } from "@/domain/ids";
import { createDevice, type Device } from "./device";
import { ready, until, untilSent } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { PASSWORD, signUp } from "./people";

let server: PocketBase;
let operator: SignedIn;
let network: Network;
let device: Device;
let client: Client;
let me: { id: string; username: string; email: string };
let friends: SignedIn[];

beforeAll(async () => {
  server = await startPocketBase();
  operator = await createSuperuser(server);
  friends = await Promise.all([1, 2, 3].map(() => signUpOnServer(server)));
});
beforeEach(async () => {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  me = await signUp(client);
  await client.sync();
  return () => client.close();
});
afterAll(() => server?.stop());

const records = (name: string) => `/api/collections/${name}/records`;

async function make(collection: string, body: object, who: SignedIn): Promise<string> {
  const answer = await server.api("POST", records(collection), body, who.token);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

async function mediumOf(ownerId: string, caption: string): Promise<string> {
  const id = newId(Math.random);
  await seedMedia(server, operator.token, ownerId, [{ id, caption, age: 1 }]);
  return id;
}
const like = (mediaId: string, who: SignedIn) => make("likes", { mediaId, userId: who.id }, who);
const comment = (mediaId: string, who: SignedIn) =>
  make("comments", { mediaId, userId: who.id, text: "Schön" }, who);

/** A second device of the same person, once the first is closed: a page may hold one's rows alone. */
async function elsewhere(): Promise<Client> {
  await client.close();
  const other = createDevice(server.url).start();
  expect(await other.auth.signIn(me.email, PASSWORD)).toMatchObject({ success: true });
  await other.sync();
  return other;
}

const unreadOf = ({ reads }: Client) => reads.watchUnreadNotifications();

test("likes and comments of a medium are one for each day, the newest two by name", async () => {
  const mediaId = await mediumOf(me.id, "Dunes");
  for (const friend of friends) await like(mediaId, friend);
  const said = await comment(mediaId, friends[0] as SignedIn);
  await make("follows", { followerId: friends[1]?.id, followingId: me.id }, friends[1] as SignedIn);
  await client.sync();
  const page = await ready(client.reads.watchNotifications(30), ({ items }) =>
    items.every(({ people }) => people.every(({ username }) => username !== "")),
  );
  const [, second, third] = friends.map(({ record }) => record.username);
  expect(page.hasMore).toBe(false);
  expect(
    page.items.map(({ kind, count, people, commentId, isUnread, type, caption }) => [
      kind,
      count,
      people.map(({ username }) => username),
      commentId,
      isUnread,
      type,
      caption,
    ]),
  ).toEqual([
    ["follow", 1, [second], "", true, null, ""],
    ["comment", 1, [friends[0]?.record.username], said, true, "photo", "Dunes"],
    ["like", 3, [third, second], "", true, "photo", "Dunes"],
  ]);
  await until(unreadOf(client), (count) => count === 5);
  const first = await ready(client.reads.watchNotifications(2));
  expect([first.items.length, first.hasMore]).toEqual([2, true]);
  // What is behind them is new as well.
  expect(first.unread).toHaveLength(5);
});

test("what was read without a network is read at once, goes once, and is read everywhere", async () => {
  const mediaId = await mediumOf(me.id, "Pier");
  await like(mediaId, friends[0] as SignedIn);
  await client.sync();
  await until(unreadOf(client), (count) => count === 1);
  const [{ createdAt } = { createdAt: 0 }] = (await ready(client.reads.watchNotifications(30)))
    .items;
  network.intercept = () => cut();
  expect((await client.writes.markNotificationsRead(createdAt)).success).toBe(true);
  await until(unreadOf(client), (count) => count === 0);
  await client.close();
  client = device.start();
  await until(unreadOf(client), (count) => count === 0);
  // What comes meanwhile is new all the same.
  await comment(mediaId, friends[1] as SignedIn);
  const sent: string[] = [];
  network.intercept = ({ path }) => {
    if (path === "/api/notifications/read") sent.push(path);
    return null;
  };
  await client.outbox.drain();
  await untilSent(client);
  await client.sync();
  await until(unreadOf(client), (count) => count === 1);
  expect(sent).toHaveLength(1);
  client = await elsewhere();
  await until(unreadOf(client), (count) => count === 1);
  const items = (await ready(client.reads.watchNotifications(30))).items;
  expect(items.map(({ kind, isUnread }) => [kind, isUnread])).toEqual([
    ["comment", true],
    ["like", false],
  ]);
});

test("what somebody whom one blocks did is gone at once, and what is taken back with the next pull", async () => {
  const mediaId = await mediumOf(me.id, "Harbour");
  const [first, second] = friends as [SignedIn, SignedIn];
  await like(mediaId, first);
  await like(mediaId, second);
  await client.sync();
  await until(unreadOf(client), (count) => count === 2);
  network.intercept = () => cut();
  await client.writes.blockUser(first.id);
  await until(unreadOf(client), (count) => count === 1);
  network.intercept = null;
  const likes = `${records("likes")}/${mediaId}_${second.id}`;
  await server.api("DELETE", likes, undefined, second.token);
  await client.sync();
  await until(unreadOf(client), (count) => count === 0);
});

test("what the server forgot after ninety days goes from the device by itself", async () => {
  await like(await mediumOf(me.id, "Dunes"), friends[0] as SignedIn);
  const query = `UPDATE notifications SET createdAt = '2024-01-01 00:00:00.000Z' WHERE userId = '${me.id}'`;
  await sql(server, operator.token, query);
  await client.sync();
  await until(
    client.reads.watchNotifications(30),
    (now) => now.state === "ready" && now.value.items.length === 0,
  );
});

test("a kind of a later server is passed over", async () => {
  const query = `INSERT INTO notifications
    (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
    VALUES ('wave_${me.id}', '${me.id}', 'wave', '', '', '', '', '', '', strftime('%Y-%m-%d %H:%M:%fZ', 'now'), '', 0)`;
  await sql(server, operator.token, query);
  await like(await mediumOf(me.id, "Dunes"), friends[0] as SignedIn);
  await client.sync();
  await until(unreadOf(client), (count) => count === 1);
  const { items } = await ready(client.reads.watchNotifications(30));
  expect(items.map(({ kind }) => kind)).toEqual(["like"]);
  // A later version of the app will know it.
  expect(device.holds(`wave_${me.id}`, me.id)).toBe(true);
});

test("who did it is known without a network, though no list was open before", async () => {
  const [friend] = friends as [SignedIn];
  await like(await mediumOf(me.id, "Dunes"), friend);
  await client.sync();
  const { username } = friend.record;
  await expect.poll(() => device.holds(username, me.id)).toBe(true);
  network.intercept = () => cut();
  await client.close();
  client = device.start();
  const { items } = await ready(client.reads.watchNotifications(30));
  expect(items.map(({ people }) => people.map((one) => one.username))).toEqual([[username]]);
});

test("what one does not want to be told of is asked and set at once", async () => {
  const { writes } = client;
  expect(await writes.notificationsOff()).toEqual({ success: true, value: [] });
  expect(await writes.setNotificationsOff(["like"])).toEqual({ success: true, value: ["like"] });
  const mediaId = await mediumOf(me.id, "Dunes");
  await like(mediaId, friends[0] as SignedIn);
  await comment(mediaId, friends[0] as SignedIn);
  await client.sync();
  await until(unreadOf(client), (count) => count === 1);
  network.intercept = () => cut();
  expect(await writes.setNotificationsOff([])).toMatchObject({ success: false, error: "network" });
});
