/** What the chat's screens show, live, and what becomes of messages when the other side changes meanwhile. */
import {
  createSuperuser,
  type PocketBase,
  RATES,
  startPocketBase,
} from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { Loaded, MessagePage } from "@/data/shapes";
import { createDevice } from "./device";
import { found, ready, until, untilSent } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { newPerson, PASSWORD, signUp } from "./people";

const BLOCKED = "Chat mit blockiertem Benutzer nicht möglich";
let server: PocketBase;
let network: Network;
let client: Client;
let me: { id: string; username: string; email: string };
let admin: string;
beforeAll(async () => {
  server = await startPocketBase();
  admin = (await createSuperuser(server)).token;
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch }).start();
  me = await signUp(client);
  await client.sync();
});
afterEach(() => {
  network.intercept = null;
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

interface Other {
  id: string;
  username: string;
  password: string;
  token: string;
  chat: string;
}

async function newOther(): Promise<Other> {
  const person = newPerson();
  const made = await server.api("POST", "/api/collections/users/records", person);
  const signedIn = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: person.email,
    password: person.password,
  });
  const { id } = made.body;
  return {
    id,
    username: person.username,
    password: person.password,
    token: signedIn.body.token,
    chat: [me.id, id].sort().join("_"),
  };
}

async function chatWith(other: Other): Promise<string> {
  const started = await client.writes.createOrGetConversation(other.id);
  expect(started).toMatchObject({ success: true, value: { conversationId: other.chat } });
  await client.sync();
  return other.chat;
}

const say = async (other: Other, message: string): Promise<string> => {
  const body = { conversationId: other.chat, senderId: other.id, message, type: "text" };
  const said = await server.api("POST", "/api/collections/messages/records", body, other.token);
  expect(said.status).toBe(200);
  return said.body.id;
};
const textsOf = ({ items }: MessagePage): string[] => items.map(({ message }) => message);
const holds = (text: string) => (page: MessagePage) => textsOf(page).includes(text);
const fates = ({ items }: MessagePage) =>
  items.filter(({ pending }) => pending !== null).map(({ pending }) => pending?.state);

/** The same person on an empty device. */
async function comeAnew(): Promise<void> {
  await client.auth.signOut("discard");
  await client.auth.signIn(me.email, PASSWORD);
  await client.sync();
}

async function offline(): Promise<void> {
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
}

async function backOnline(): Promise<void> {
  network.intercept = null;
  await client.sync();
  await client.outbox.drain();
}

test("the list shows names, last words and what is unread, and follows every change", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  const list = client.reads.watchConversations();
  await say(other, "Hello");
  await client.sync();
  const isThere = (value: { id: string; lastMessage: string; other: { state: string } }[]) =>
    value.some(
      (row) => row.id === chat && row.lastMessage === "Hello" && row.other.state === "known",
    );
  const rows = await ready(list, isThere);
  expect(rows.find(({ id }) => id === chat)).toMatchObject({
    otherId: other.id,
    other: { state: "known", username: other.username },
    lastKind: "text",
    lastByMe: false,
    unread: 1,
  });
  const unread = client.reads.watchUnread();
  await until(unread, (count) => count === 1);
  await until(client.reads.watchUnreadFrom(other.id), (count) => count === 1);
  await offline();
  await client.writes.markMessagesRead(chat);
  await client.writes.sendTextMessage(chat, "Answer");
  await until(unread, (count) => count === 0);
  await until(client.reads.watchUnreadFrom(other.id), (count) => count === 0);
  const mine = await found(client.reads.watchConversation(chat), (row) => row.lastByMe);
  expect(mine).toMatchObject({ lastMessage: "Answer", unread: 0, pending: { state: "waiting" } });
  await backOnline();
  await untilSent(client);
  await found(client.reads.watchConversation(chat), (row) => row.pending === null && row.lastByMe);
  await until(unread, (count) => count === 0);
});

test("older messages come page by page, and what changes far below makes no hole", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  const ids: string[] = [];
  for (let i = 0; i < 130; i++) ids.push(await say(other, `m${i}`));
  await comeAnew();
  const deleted = { deleted: true };
  const path = `/api/collections/messages/records/${ids[3]}`;
  await server.api("PATCH", path, deleted, other.token);
  await client.sync();
  const first = await ready(client.reads.watchMessages(chat, 50), holds("m129"));
  expect(textsOf(first)).toEqual(Array.from({ length: 50 }, (_, i) => `m${i + 80}`));
  expect(first.hasOlder).toBe(true);
  expect(await client.reads.pullOlderMessages(chat, 100)).toMatchObject({ value: { more: true } });
  const second = await ready(client.reads.watchMessages(chat, 100), holds("m30"));
  expect(textsOf(second)).toEqual(Array.from({ length: 100 }, (_, i) => `m${i + 30}`));
  expect(await client.reads.pullOlderMessages(chat, 150)).toMatchObject({ value: { more: false } });
  const all = await ready(client.reads.watchMessages(chat, 150), holds("m0"));
  expect(all.items).toHaveLength(130);
  expect(all.items[3]).toMatchObject({ deleted: true, message: "" });
  expect(all.hasOlder).toBe(false);
});

test("messages that were never brought are not said to be none, and come with the connection", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  await say(other, "Far away");
  await comeAnew();
  await offline();
  const live = client.reads.watchMessages(chat, 50);
  const seen = await until<Loaded<MessagePage>>(live, ({ state }) => state !== "loading");
  expect(seen).toMatchObject({ state: "failed", code: "network" });
  await backOnline();
  await ready(live, holds("Far away"));
});

test("a block that arrives while two messages wait refuses both, with its sentence, and nothing else", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  await offline();
  for (const text of ["one", "two"]) await client.writes.sendTextMessage(chat, text);
  const pair = { blockerId: other.id, blockedId: me.id };
  const id = `${other.id}_${me.id}`;
  await server.api("POST", "/api/collections/blocks/records", { id, ...pair }, other.token);
  await backOnline();
  const live = client.reads.watchMessages(chat, 50);
  await ready(live, (page) => fates(page).join() === "refused,refused");
  const queue = await until(client.outbox.watch(), ({ refused }) => refused === 2);
  expect(queue.items.map(({ code, message }) => [code, message])).toEqual([
    ["blocked", BLOCKED],
    ["blocked", BLOCKED],
  ]);
  await server.api("DELETE", `/api/collections/blocks/records/${id}`, undefined, other.token);
  for (const item of queue.items) await client.outbox.retry(item.id);
  await untilSent(client);
  const page = await ready(live, (now) => now.items.length === 2 && fates(now).length === 0);
  expect(textsOf(page)).toEqual(["one", "two"]);
});

test("more messages than a minute allows stay queued at a 429 and are sent later, each once and in order", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  const limit = (limits: Record<string, number>) =>
    server.api(
      "PATCH",
      "/api/collections/settings/records/app",
      { limits: { ...RATES, ...limits } },
      admin,
    );
  await limit({ writesPerMinute: 20 });
  await client.sync();
  await offline();
  const wanted = Array.from({ length: 40 }, (_, i) => `burst ${i}`);
  for (const text of wanted) await client.writes.sendTextMessage(chat, text);
  await backOnline();
  const held = await until(client.outbox.watch(), ({ items }) =>
    items.some(({ code }) => code === "rate_limited"),
  );
  expect(held.refused).toBe(0);
  expect(held.waiting).toBeGreaterThan(0);
  await limit({});
  await client.outbox.drain();
  await untilSent(client);
  const live = client.reads.watchMessages(chat, 50);
  const page = await ready(live, (now) => now.items.length === 40 && fates(now).length === 0);
  expect(textsOf(page)).toEqual(wanted);
});

test("a person who is gone meanwhile has no name any more, and what waits for them is told with the reason", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  await say(other, "Farewell");
  await found(client.reads.watchConversation(chat), (row) => row.other.state === "known");
  await offline();
  await client.writes.sendTextMessage(chat, "Are you there?");
  const gone = await server.api(
    "POST",
    "/api/account/delete",
    { password: other.password },
    other.token,
  );
  expect(gone.status).toBeLessThan(300);
  await backOnline();
  const queue = await until(client.outbox.watch(), ({ refused }) => refused === 1);
  expect(queue.items[0]).toMatchObject({ code: "gone", message: "Benutzer nicht gefunden" });
  const row = await found(
    client.reads.watchConversation(chat),
    (now) => now.other.state === "gone",
  );
  expect(row.lastMessage).toBe("Are you there?");
  const live = client.reads.watchMessages(chat, 50);
  const page = await ready(live, (now) => fates(now).includes("refused"));
  expect(textsOf(page)).toEqual(["Farewell", "Are you there?"]);
  for (const { id } of queue.items) await client.outbox.discard(id);
});

test("a chat that an admin deletes while both write goes from the screen, but not the words that were not sent", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  await say(other, "Soon gone");
  await ready(client.reads.watchMessages(chat, 50), holds("Soon gone"));
  await offline();
  await client.writes.sendTextMessage(chat, "Unsent");
  await server.api("DELETE", `/api/collections/conversations/records/${chat}`, undefined, admin);
  const body = { conversationId: chat, senderId: other.id, message: "Me too", type: "text" };
  const said = await server.api("POST", "/api/collections/messages/records", body, other.token);
  expect(said).toMatchObject({ status: 404, body: { code: "no_conversation" } });
  await backOnline();
  const queue = await until(client.outbox.watch(), ({ refused }) => refused === 1);
  const live = client.reads.watchMessages(chat, 50);
  const page = await ready(live, (now) => now.items.length === 1 && fates(now).length === 1);
  expect(textsOf(page)).toEqual(["Unsent"]);
  await found(client.reads.watchConversation(chat), (row) => row.lastMessage === "Unsent");
  for (const { id } of queue.items) await client.outbox.discard(id);
  await until(client.reads.watchConversation(chat), ({ state }) => state === "gone");
  const list = await ready(client.reads.watchConversations(), (rows) =>
    rows.every(({ id }) => id !== chat),
  );
  expect(list.some(({ id }) => id === chat)).toBe(false);
});

test("a chat with somebody met before can be started without a network, and not with a stranger", async () => {
  const met = await newOther();
  expect(await client.reads.findUserId(met.username)).toMatchObject({ value: met.id });
  await offline();
  const known = await client.reads.findUserId(met.username.toUpperCase());
  expect(known).toMatchObject({ success: true, value: met.id });
  expect(await client.reads.findUserId(newPerson().username)).toMatchObject({
    success: false,
    error: "network",
  });
  const people = await until(client.reads.watchKnownPeople(), (all) =>
    all.some(({ id }) => id === met.id),
  );
  expect(people.map(({ id }) => id)).not.toContain(me.id);
  await client.writes.createOrGetConversation(met.id);
  const rows = await ready(client.reads.watchConversations(), (all) =>
    all.some(({ id }) => id === met.chat),
  );
  expect(rows.find(({ id }) => id === met.chat)).toMatchObject({
    other: { state: "known", username: met.username },
    lastKind: "none",
    pending: { state: "waiting" },
  });
  const page = await ready(client.reads.watchMessages(met.chat, 50));
  expect(page).toEqual({ items: [], hasOlder: false });
  await backOnline();
  await untilSent(client);
});

test("the address of a protected file carries a token, and without a network a mark that only the cache knows", async () => {
  const path = `${server.url}/api/files/messages/abc/photo.jpg`;
  const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
  const claims = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { id: string };
  await offline();
  const marked = tokenOf(await client.reads.fileUrl(path));
  expect(claims(marked).id).toBe(me.id);
  await backOnline();
  const token = tokenOf(await client.reads.fileUrl(path));
  expect(claims(token)).toMatchObject({ id: me.id, type: "file" });
  expect(await client.reads.fileUrl("blob:here")).toBe("blob:here");
});

test("a message that is not there is 'Message not found', and is no message to be deleted later", async () => {
  const other = await newOther();
  const chat = await chatWith(other);
  const gone = await client.writes.deleteMessage(chat, "nosuchmessage00");
  expect(gone).toMatchObject({ success: false, error: "no_message", message: "Message not found" });
  expect((await client.writes.sendTextMessage(chat, "Mine")).success).toBe(true);
  await untilSent(client);
  const page = await ready(client.reads.watchMessages(chat, 50), holds("Mine"));
  const mine = page.items.find(({ message }) => message === "Mine");
  expect(await client.writes.deleteMessage(chat, mine?.id ?? "")).toMatchObject({ success: true });
  await untilSent(client);
});
