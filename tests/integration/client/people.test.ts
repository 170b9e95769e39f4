/** Profiles, following and blocking as the client's screens read them, with and without a network. */
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp as signUpOnServer,
  startPocketBase,
} from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice, type Device } from "./device";
import { found, ready, until, untilSent } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { PASSWORD, signUp } from "./people";

let server: PocketBase;
let operator: SignedIn;
let network: Network;
let device: Device;
let client: Client;
let me: { id: string; username: string; email: string };

beforeAll(async () => {
  server = await startPocketBase();
  operator = await createSuperuser(server);
});
beforeEach(async () => {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  me = await signUp(client);
  await client.sync();
  return () => client.close();
});
afterAll(async () => {
  await server?.stop();
});

const goOffline = (): void => {
  network.intercept = () => cut();
};
const goOnline = (): void => {
  network.intercept = null;
};
const records = (name: string) => `/api/collections/${name}/records`;

async function must(method: string, where: string, body: unknown, who: SignedIn) {
  const answer = await server.api(method, where, body, who.token);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A medium of somebody's, with a file. */
async function share(ownerId: string, caption: string): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    userId: ownerId,
    type: "photo",
    caption,
    tags: "[]",
  }))
    form.set(name, value);
  const photo = () => new File([mediaFixture("photo.jpg")], "a.jpg", { type: "image/jpeg" });
  form.set("file", photo());
  form.set("thumbnail", photo());
  return (await must("POST", records("media"), form, operator)).id;
}

test("a person is found by name in any case, and seen again without a network", async () => {
  const ben = await signUpOnServer(server, { username: `Ben.Karlsson-${me.id}` });
  const { reads } = client;
  const byName = reads.watchProfileByName(ben.record.username.toUpperCase());
  expect(await found(byName)).toMatchObject({ id: ben.id, followers: 0, pending: null });
  await client.close();
  goOffline();
  client = device.start();
  const again = client.reads.watchProfileByName(ben.record.username);
  expect(await found(again)).toMatchObject({ id: ben.id });
  const stranger = client.reads.watchProfileByName("somebody.never.seen");
  await until(stranger, (now) => now.state === "unreachable");
});

test("a name that nobody has is gone by the server's word, and so is one's old name after a change", async () => {
  const { reads, writes } = client;
  await until(reads.watchProfileByName("nobody.has.this"), (now) => now.state === "gone");
  const mine = reads.watchProfileByName(me.username);
  await found(mine);
  expect(await writes.updateProfile({ username: `${me.username}-new` })).toMatchObject({
    success: true,
  });
  await client.sync();
  await until(mine, (now) => now.state === "gone");
  await found(reads.watchProfileByName(`${me.username}-new`), (view) => view.id === me.id);
});

test("a follow counts at once, also offline, and once when it was sent", async () => {
  const ben = await signUpOnServer(server);
  const { reads, writes } = client;
  const profile = reads.watchProfile(ben.id);
  const own = reads.watchProfile(me.id);
  const relation = reads.watchRelation(ben.id);
  await Promise.all([found(profile), found(own), ready(relation)]);
  goOffline();
  expect((await writes.followUser(ben.id)).success).toBe(true);
  await ready(relation, (now) => now.following);
  await found(profile, (view) => view.followers === 1);
  await found(own, (view) => view.following === 1);
  goOnline();
  await client.outbox.drain();
  await client.sync();
  await untilSent(client);
  await found(profile, (view) => view.followers === 1);
  await found(own, (view) => view.following === 1);
  const row = await server.api("GET", `${records("profiles")}/${ben.id}`);
  expect(row.body.followers).toBe(1);
  await writes.unfollowUser(ben.id);
  await found(profile, (view) => view.followers === 0);
  await ready(relation, (now) => !now.following);
});

test("lists of one's own name everybody, newest first, and those whom nobody knows any more", async () => {
  const [ann, ben] = [await signUpOnServer(server), await signUpOnServer(server)];
  const follow = (who: SignedIn) =>
    must("POST", records("follows"), { followerId: who.id, followingId: me.id }, who);
  await follow(ann);
  await follow(ben);
  await client.sync();
  const followers = client.reads.watchPeople("followers", 10);
  const page = await ready(followers, ({ items }) => items.every((one) => one.state === "known"));
  expect(page.total).toBe(2);
  expect(page.items.map((one) => one.id).sort()).toEqual([ann.id, ben.id].sort());
  const first = client.reads.watchPeople("followers", 1);
  expect(await ready(first, ({ items }) => items.length === 1)).toMatchObject({ total: 2 });
  await client.writes.blockUser(ann.id);
  const blocked = client.reads.watchPeople("blocked", 10);
  await ready(blocked, ({ items }) => items.length === 1 && items[0]?.id === ann.id);
  await client.writes.unblockUser(ann.id);
  await ready(blocked, ({ total }) => total === 0);
});

test("names that cannot be asked for are unknown, and known once they can", async () => {
  const ann = await signUpOnServer(server);
  await must("POST", records("follows"), { followerId: ann.id, followingId: me.id }, ann);
  await client.close();
  // A new device: it gets the follow with the first pull, and the name only by asking.
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  network.intercept = ({ path }) => (path.includes("/profiles/") ? cut() : null);
  await client.auth.signIn(me.email, PASSWORD);
  await client.sync();
  const followers = client.reads.watchPeople("followers", 5);
  await ready(followers, ({ items }) => items[0]?.state === "unknown");
  goOnline();
  await client.sync();
  await ready(followers, ({ items }) => items[0]?.state === "known");
});

test("a block hides one's media at once without a network, and unblocking brings them back", async () => {
  const ben = await signUpOnServer(server);
  const mediaId = await share(ben.id, "Hidden soon");
  await client.sync();
  const { reads, writes } = client;
  const feed = reads.watchFeed({ filter: "all", sort: "latest", limit: 30 });
  const has = (yes: boolean) =>
    ready(feed, ({ items }) => items.some((item) => item.id === mediaId) === yes);
  await has(true);
  await writes.followUser(ben.id);
  await untilSent(client);
  goOffline();
  await writes.blockUser(ben.id);
  await has(false);
  const relation = reads.watchRelation(ben.id);
  await ready(relation, (now) => now.blocked && !now.following);
  await writes.unblockUser(ben.id);
  await has(true);
  await writes.blockUser(ben.id);
  goOnline();
  await client.outbox.drain();
  await untilSent(client);
  await client.sync();
  await has(false);
  const follows = await server.api("GET", records("follows"), undefined, operator.token);
  expect(follows.body.items.filter((row: { id: string }) => row.id.startsWith(me.id))).toEqual([]);
});

test("blocking somebody whom one does not follow sends the block and no end of a follow", async () => {
  const ben = await signUpOnServer(server);
  await client.writes.blockUser(ben.id);
  await untilSent(client);
  const writes = network.seen.filter(
    ({ method, path }) => method !== "GET" && /\/(blocks|follows)\//.test(path),
  );
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST ${records("blocks")}`,
  ]);
});

test("what is written to somebody right after their block has ended goes after its end", async () => {
  const ben = await signUpOnServer(server);
  const { writes } = client;
  await writes.blockUser(ben.id);
  await untilSent(client);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  network.intercept = ({ method, path }, send) =>
    method === "DELETE" && path.includes("/blocks/") ? held.then(send) : null;
  const before = network.seen.length;
  try {
    await writes.unblockUser(ben.id);
    const started = await writes.createOrGetConversation(ben.id);
    if (!started.success) throw new Error(started.error);
    await writes.sendTextMessage(started.value.conversationId, "Friends again");
    await client.outbox.drain();
  } finally {
    letGo();
  }
  await untilSent(client);
  const sent = network.seen.slice(before).filter(({ method }) => method !== "GET");
  const order = ["blocks", "conversations", "messages"].map((name) =>
    sent.findIndex(({ path }) => path.startsWith(records(name))),
  );
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
});

test("a follow that is told to come later holds no message in a chat, but the beginning of one", async () => {
  const [ben, cara] = [await signUpOnServer(server), await signUpOnServer(server)];
  const { writes } = client;
  const chat = await writes.createOrGetConversation(ben.id);
  if (!chat.success) throw new Error(chat.error);
  network.intercept = ({ method, path }) =>
    method === "POST" && path === records("follows")
      ? Promise.resolve(
          Response.json(
            { status: 429, message: "", data: {} },
            { status: 429, headers: { "Retry-After": "600" } },
          ),
        )
      : null;
  const before = network.seen.length;
  for (const { id } of [ben, cara]) await writes.followUser(id);
  await client.outbox.drain();
  await writes.sendTextMessage(chat.value.conversationId, "Did you see the lake?");
  const begun = await writes.createOrGetConversation(cara.id);
  if (!begun.success) throw new Error(begun.error);
  const { items } = await until(client.outbox.watch(), (queue) => queue.items.length === 3);
  const kinds = items.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(["conversation.create", "follow.set", "follow.set"]);
  const paths = network.seen.slice(before).map(({ path }) => path);
  expect(paths).toContain(records("messages"));
});

test("changes of one's profile stand on it at once, and are sent when the network is back", async () => {
  const own = client.reads.watchProfile(me.id);
  await found(own);
  goOffline();
  const picture = new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" });
  expect(
    await client.writes.updateProfile({
      bio: "Two lakes",
      picture: { file: picture, thumbnail: null },
    }),
  ).toMatchObject({ success: true });
  await found(own, (view) => view.bio === "Two lakes" && view.pending !== null);
  goOnline();
  await client.outbox.drain();
  await untilSent(client);
  const sent = await found(own, (view) => view.pending === null && view.profilePictureUrl !== "");
  expect(sent.bio).toBe("Two lakes");
  expect((await fetch(sent.profilePictureUrl)).status).toBe(200);
});

test.each([
  ["a text", new Blob(["hello"]), "file_type", "Nur Bilddateien sind als Profilbild erlaubt."],
  ["an SVG", new Blob(["<svg xmlns='http://www.w3.org/2000/svg'/>"]), "file_type", "Nur Bild"],
  ["2 MB and one byte", new Blob([new Uint8Array(2_097_153)]), "too_large", "Profilbild darf"],
  ["half a picture", new Blob([mediaFixture("photo.jpg").slice(0, 700)]), "file_broken", ""],
])("%s is no profile picture, and nothing is sent of it", async (_, file, error, message) => {
  const before = network.seen.length;
  const answer = await client.writes.updateProfile({ picture: { file, thumbnail: null } });
  expect({ message: "", ...answer }).toMatchObject({
    success: false,
    error,
    message: expect.stringContaining(message),
  });
  expect(network.seen.slice(before).filter(({ method }) => method === "PATCH")).toEqual([]);
});

test("an account that is deleted leaves this device too: media, profile, follows, counters", async () => {
  const ben = await signUpOnServer(server);
  const mine = await share(me.id, "Stays");
  const theirs = await share(ben.id, "Goes with its owner");
  await must("POST", records("likes"), { mediaId: mine, userId: ben.id }, ben);
  await must("POST", records("follows"), { followerId: ben.id, followingId: me.id }, ben);
  await must("POST", records("conversations"), { participants: [ben.id, me.id] }, ben);
  const conversationId = [ben.id, me.id].sort().join("_");
  await must(
    "POST",
    records("messages"),
    { conversationId, senderId: ben.id, message: "Farewell" },
    ben,
  );
  await client.sync();
  const { reads } = client;
  const profile = reads.watchProfileByName(ben.record.username);
  const own = reads.watchProfile(me.id);
  const medium = reads.watchMedia(mine);
  await found(profile);
  await found(own, (view) => view.followers === 1);
  await found(medium, (view) => view.likes === 1);
  const { status } = await server.api(
    "POST",
    "/api/account/delete",
    { password: ben.password },
    ben.token,
  );
  expect(status).toBe(204);
  await client.sync();
  await until(profile, (now) => now.state === "gone");
  await until(reads.watchMedia(theirs), (now) => now.state === "gone");
  await found(own, (view) => view.followers === 0);
  await found(medium, (view) => view.likes === 0);
  expect(await ready(reads.watchPeople("followers", 5))).toMatchObject({ total: 0 });
  await client.close();
  expect(device.holds("Goes with its owner", me.id)).toBe(false);
  expect(device.holds(ben.record.username, me.id)).toBe(false);
  // What the two wrote to each other stays with the one who is left.
  const { body } = await server.api("GET", records("messages"), undefined, operator.token);
  expect(body.items.some((row: { message: string }) => row.message === "Farewell")).toBe(true);
});

test("signing out everywhere ends every other session and leaves this one", async () => {
  const other = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: me.email,
    password: PASSWORD,
  });
  expect(await client.sessions.endOthers()).toMatchObject({ success: true });
  const refresh = "/api/collections/users/auth-refresh";
  expect((await server.api("POST", refresh, {}, other.body.token)).status).toBe(401);
  expect(await client.auth.refresh()).toMatchObject({ success: true });
  expect((await server.api("POST", "/api/account/sessions/end", {})).status).toBe(401);
});
