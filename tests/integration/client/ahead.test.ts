/** What a device has for times without a network although nobody opened it: chats, words and names. */
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { found, ready, until, untilSent } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { newPerson, PASSWORD, signUp } from "./people";

const CHATS = 22;

interface Other {
  id: string;
  username: string;
  token: string;
}

let server: PocketBase;
let admin: string;
let network: Network;
let client: Client;
let me: { id: string; email: string };
/** With whom one has chats, the oldest first. */
const others: Other[] = [];
let followed: Other;
let seen: Other;
let stranger: Other;

async function newOther(): Promise<Other> {
  const person = newPerson();
  const { body } = await server.api("POST", "/api/collections/users/records", person);
  const signedIn = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: person.email,
    password: person.password,
  });
  return { id: body.id, username: person.username, token: signedIn.body.token };
}

const chatOf = (other: Other) => [me.id, other.id].sort().join("_");

async function writeToMe(other: Other): Promise<void> {
  const [userA, userB] = [me.id, other.id].sort();
  const chat = { id: chatOf(other), userA, userB };
  await server.api("POST", "/api/collections/conversations/records", chat, other.token);
  const message = {
    conversationId: chat.id,
    senderId: other.id,
    message: `Hello from ${other.username}`,
    type: "text",
  };
  const said = await server.api("POST", "/api/collections/messages/records", message, other.token);
  expect(said.status).toBe(200);
}

beforeAll(async () => {
  server = await startPocketBase();
  admin = (await createSuperuser(server)).token;
  const earlier = createDevice(server.url).start();
  me = await signUp(earlier);
  await earlier.sync();
  for (let made = 0; made < CHATS; made++) {
    const other = await newOther();
    others.push(other);
    await writeToMe(other);
  }
  // Several fit into one of the server's seconds.
  await sql(server, admin, "UPDATE messages SET timestamp = timestamp - 1000 + rowid");
  [followed, seen, stranger] = [await newOther(), await newOther(), await newOther()];
  await earlier.writes.followUser(followed.id);
  await untilSent(earlier);
  await earlier.close();
  await seedMedia(server, admin, seen.id, [{ id: "mediumofsomeone", caption: "Seen", age: 1 }]);
  await sql(server, admin, `UPDATE media SET username = '${seen.username}'`);

  network = createNetwork();
  client = createDevice(server.url, {
    fetch: network.fetch,
    // The pauses between what is fetched ahead are for people who look at screens.
    delay: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.min(ms, 20));
        signal?.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  }).start();
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const asked = (part: string) => network.seen.filter(({ path }) => path.includes(part));

test("after the sign-in the newest 20 chats, their words and all names come by themselves, for one request each", async () => {
  expect((await client.auth.signIn(me.email, PASSWORD)).success).toBe(true);
  await expect.poll(() => asked("/messages/records").length).toBe(20);
  expect(asked("/profiles/records")).toHaveLength(1);
  // The last of the answers has to be stored before the network goes.
  const newest = others.slice(-20);
  for (const other of newest) {
    await ready(client.reads.watchMessages(chatOf(other), 50), ({ items }) => items.length === 1);
  }
  // Whoever looks before the answer is stored asks for the same again.
  expect(new Set(asked("/messages/records").map(({ path }) => path)).size).toBe(20);

  network.intercept = () => cut();
  const chats = await ready(
    client.reads.watchConversations(),
    (all) => all.length === CHATS && all.every(({ other }) => other.state === "known"),
  );
  expect(chats[0]).toMatchObject({ other: { username: others.at(-1)?.username } });
  const oldest = others[0] as Other;
  await until(client.reads.watchMessages(chatOf(oldest), 50), ({ state }) => state === "failed");
});

test("whoever is followed, or was seen under a picture, can be written to without a network", async () => {
  for (const other of [followed, seen]) {
    const known = await client.reads.findUserId(other.username.toUpperCase());
    expect(known).toMatchObject({ success: true, value: other.id });
    const started = await client.writes.createOrGetConversation(other.id);
    expect(started).toMatchObject({ success: true });
    const chat = await found(
      client.reads.watchConversation(chatOf(other)),
      (row) => row.other.state === "known",
    );
    expect(chat.other).toMatchObject({ username: other.username });
  }
  expect(await client.reads.findUserId(stranger.username)).toMatchObject({ error: "network" });
});

test("a profile that cannot be asked for shows the name that media carry, and is whole once it can", async () => {
  const partial = await found(client.reads.watchProfileByName(seen.username.toUpperCase()));
  expect(partial).toMatchObject({ id: seen.id, username: seen.username, isPartial: true });
  await until(
    client.reads.watchProfileByName(stranger.username),
    ({ state }) => state === "unreachable",
  );
  network.intercept = null;
  void client.sync();
  const whole = await found(
    client.reads.watchProfileByName(seen.username),
    ({ isPartial }) => isPartial !== true,
  );
  expect(whole.mediaCount).toBe(1);
  await found(client.reads.watchProfileByName(stranger.username));
});
