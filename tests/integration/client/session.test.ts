import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { SESSION_KEY } from "@/data/account/session-store";
import type { Client } from "@/data/client";
import { specificationOf } from "@/data/specification";
import { createDevice, type Device } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, type Network, portal } from "./network";
import { newPerson, PASSWORD, photo, signUp } from "./people";

const newest = { filter: "all", sort: "latest", limit: 30 } as const;

let server: PocketBase;
let admin: { token: string };
let network: Network;
let device: Device;
let client: Client;
beforeAll(async () => {
  server = await startPocketBase();
  admin = await createSuperuser(server);
});
afterEach(async () => {
  await client.close();
});
afterAll(async () => {
  await server?.stop();
});

function begin(): void {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
}

async function queueOffline(caption: string): Promise<string> {
  network.intercept = cut;
  const queued = await client.writes.uploadMedia(photo(caption));
  if (!queued.success) throw new Error(queued.error);
  await until(client.connection, (connection) => connection === "offline");
  return queued.value.mediaId;
}

const needsLogin = () =>
  until(client.auth.session, (now) => now.state === "signed-in" && now.needsLogin);

const changePassword = (id: string, password: string) =>
  server.api(
    "PATCH",
    `/api/collections/users/records/${id}`,
    { password, passwordConfirm: password },
    admin.token,
  );

async function rowsOf(caption: string): Promise<{ id: string; userId: string }[]> {
  const filter = encodeURIComponent(`caption = "${caption}"`);
  const { body } = await server.api("GET", `/api/collections/media/records?filter=${filter}`);
  return body.items;
}

/** Somebody else, who uses another device. */
async function stranger(): Promise<{ id: string; token: string }> {
  const person = newPerson();
  await server.api("POST", "/api/collections/users/records", person);
  const { body } = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: person.email,
    password: person.password,
  });
  return { id: body.record.id, token: body.token };
}

test("a token without a secret that ran out while the app was closed asks to sign in, and the queue goes out after", async () => {
  begin();
  const me = await signUp(client);
  const mediaId = await queueOffline("Queued before it ran out");
  await client.close();
  const stored = JSON.parse(device.local.get(SESSION_KEY) ?? "{}");
  // The header and the signature of a token that the server no longer takes.
  const claims = Buffer.from(JSON.stringify({ id: me.id, exp: 1 })).toString("base64url");
  const [head, , signature] = String(stored.token).split(".");
  stored.token = [head, claims, signature].join(".");
  delete stored.session;
  device.local.set(SESSION_KEY, JSON.stringify(stored));
  network.intercept = null;
  client = device.start();
  await needsLogin();
  const { items } = await until(client.outbox.watch(), (now) => now.items[0]?.state === "paused");
  expect(items).toMatchObject([{ kind: "media.create", held: false }]);
  expect(await client.auth.signIn(me.email, PASSWORD)).toMatchObject({ success: true });
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  expect(await rowsOf("Queued before it ran out")).toMatchObject([{ userId: me.id }]);
});

test("no error of the network or the server ever ends a session", async () => {
  begin();
  const { id } = await signUp(client);
  const answers = [
    cut,
    portal,
    async () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    async () => Response.json({ status: 500, message: "Oh.", data: {} }, { status: 500 }),
    async () => Response.json({ status: 429, message: "Slow.", data: {} }, { status: 429 }),
    async () => Response.json({ error: "pay first" }, { status: 401 }),
  ];
  for (const answer of answers) {
    network.intercept = answer;
    expect(await client.auth.refresh()).toMatchObject({ success: false });
    await client.sync();
    expect(client.auth.check()).toBe(true);
    expect(client.auth.session.getSnapshot()).toMatchObject({ user: { id }, needsLogin: false });
  }
});

test("an account that was deleted elsewhere leaves everything here until the person decides", async () => {
  begin();
  const me = await signUp(client);
  await queueOffline("Never to be sent");
  await server.api("DELETE", `/api/collections/users/records/${me.id}`, undefined, admin.token);
  network.intercept = null;
  await client.sync();
  await needsLogin();
  expect(await client.auth.signIn(me.email, PASSWORD)).toMatchObject({ error: "unknown_email" });
  await until(client.outbox.watch(), ({ items }) => items[0]?.state === "paused");
  await client.auth.signOut("discard");
  expect((await device.databases()).filter((name) => name.includes(me.id))).toEqual([]);
  expect(await rowsOf("Never to be sent")).toEqual([]);
});

test("another person on the device neither sees nor sends what waits for the first one's sign-in", async () => {
  begin();
  const first = await signUp(client);
  const mediaId = await queueOffline("For the first one alone");
  await changePassword(first.id, `${PASSWORD}-new`);
  network.intercept = null;
  await client.sync();
  await needsLogin();
  const second = newPerson();
  await server.api("POST", "/api/collections/users/records", second);
  expect(await client.auth.signIn(second.email, PASSWORD)).toMatchObject({ success: true });
  await client.sync();
  await client.outbox.drain();
  const page = await ready(client.reads.watchFeed(newest));
  expect(page.items.map(({ id }) => id)).not.toContain(mediaId);
  await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
  expect(await rowsOf("For the first one alone")).toEqual([]);
  await client.auth.signOut("discard");
  expect(await client.auth.signIn(first.email, `${PASSWORD}-new`)).toMatchObject({
    success: true,
  });
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  expect(await rowsOf("For the first one alone")).toMatchObject([{ userId: first.id }]);
});

test("while a sign-in is needed the public part goes on, and the private part follows after it", async () => {
  begin();
  const me = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Mine"));
  if (!queued.success) throw new Error(queued.error);
  const medium = client.reads.watchMedia(queued.value.mediaId);
  await found(medium, (now) => now.pending === null);
  const other = await stranger();
  await changePassword(me.id, `${PASSWORD}-new`);
  await client.auth.refresh();
  await needsLogin();

  const mediaId = queued.value.mediaId;
  const like = { id: `${mediaId}_${other.id}`, mediaId, userId: other.id };
  await server.api("POST", "/api/collections/likes/records", like, other.token);
  const chat = [me.id, other.id].sort().join("_");
  const people = { id: chat, participants: [me.id, other.id] };
  await server.api("POST", "/api/collections/conversations/records", people, other.token);
  const hello = { conversationId: chat, senderId: other.id, message: "Hello", type: "text" };
  await server.api("POST", "/api/collections/messages/records", hello, other.token);
  expect(await client.sync()).toMatchObject({ success: true });
  await found(medium, (now) => now.likes === 1);
  expect(await specificationOf(client).getUnreadChatCount()).toMatchObject({ count: 0 });

  expect(await client.auth.signIn(me.email, `${PASSWORD}-new`)).toMatchObject({ success: true });
  await client.sync();
  expect(await specificationOf(client).getUnreadChatCount()).toMatchObject({
    success: true,
    count: 1,
  });
});
