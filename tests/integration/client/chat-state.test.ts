/** How the chat stands where there is no stream, and towards somebody whom one has blocked. */
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { UNREAD_POLL_MS } from "@/domain/limits";
import { createDevice } from "./device";
import { found, ready, until, untilSent } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { newPerson, signUp } from "./people";

let server: PocketBase;
let network: Network;
let client: Client;
let other: { id: string; username: string; token: string };
let chat: string;
/** Waits of thirty seconds that are under way; each ends when the test says so. */
let waits: (() => void)[];

beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  waits = [];
  const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        waits = waits.filter((wait) => wait !== end);
        resolve();
      };
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
      else if (ms === UNREAD_POLL_MS) waits.push(end);
      else setTimeout(end, ms).unref();
    });
  const dead = { addEventListener: () => {}, close: () => {} };
  const world = { fetch: network.fetch, eventSource: () => dead, delay };
  client = createDevice(server.url, world).start();
  const me = await signUp(client);
  const person = newPerson();
  const made = await server.api("POST", "/api/collections/users/records", person);
  const { body } = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: person.email,
    password: person.password,
  });
  other = { id: made.body.id, username: person.username, token: body.token };
  chat = [me.id, other.id].sort().join("_");
  await client.writes.createOrGetConversation(other.id);
  await client.sync();
});
afterEach(() => {
  network.intercept = null;
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const say = async (message: string): Promise<void> => {
  const body = { conversationId: chat, senderId: other.id, message };
  const said = await server.api("POST", "/api/collections/messages/records", body, other.token);
  expect(said.status).toBe(200);
};

test("without a stream what others write comes with the next look, thirty seconds after the last", async () => {
  const unread = client.reads.watchUnread();
  // Watched throughout: a value that nobody watches goes cold after thirty seconds too.
  const leave = unread.subscribe(() => {});
  const live = client.reads.watchConversation(chat);
  await until(unread, (count) => count === 0);
  await found(live, ({ other: name }) => name.state === "known");
  for (const count of [1, 2, 3]) {
    await say(`message ${count}`);
    const look = () => {
      for (const end of waits) end();
      return unread.getSnapshot();
    };
    await expect.poll(look).toBe(count);
  }
  leave();
});

test("a chat with somebody whom one has blocked stays, says so at once, and is as before after the block", async () => {
  const live = client.reads.watchConversation(chat);
  const list = client.reads.watchConversations();
  await found(live, ({ blocked }) => !blocked);
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
  await client.writes.blockUser(other.id);
  const row = await found(live, ({ blocked }) => blocked);
  expect(row).toMatchObject({ lastMessage: "message 3", other: { username: other.username } });
  const rows = await ready(list, (all) => all.some(({ blocked }) => blocked));
  expect(rows.map(({ id }) => id)).toEqual([chat]);
  const people = await until(client.reads.watchKnownPeople(), (all) =>
    all.every(({ id }) => id !== other.id),
  );
  expect(people.map(({ id }) => id)).not.toContain(other.id);
  network.intercept = null;
  await client.sync();
  await client.outbox.drain();
  await untilSent(client);
  expect((await found(live)).blocked).toBe(true);
  const back = { conversationId: chat, senderId: other.id, message: "Why?" };
  const refused = await server.api("POST", "/api/collections/messages/records", back, other.token);
  expect(refused).toMatchObject({ status: 403, body: { code: "blocked" } });
  await client.writes.unblockUser(other.id);
  await found(live, ({ blocked }) => !blocked);
  await untilSent(client);
  await say("Here again");
});
