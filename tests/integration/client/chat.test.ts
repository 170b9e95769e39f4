import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { valueIn } from "@tests/support/value-in";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { specificationOf } from "@/data/specification";
import { createDevice } from "./device";
import { until, untilSent } from "./live";
import { createNetwork, cut, loseAnswer, type Network } from "./network";
import { newPerson, signUp } from "./people";

interface Message {
  id: string;
  message: string;
  senderId: string;
  deleted: boolean;
  image: string;
  read: boolean;
  type: string;
}

let server: PocketBase;
let network: Network;
let client: Client;
let me: { id: string };
let other: { id: string; token: string };
let chat: string;
beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch }).start();
  me = await signUp(client);
  other = await newOther();
  await client.sync();
});
afterEach(() => {
  network.intercept = null;
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

async function newOther(): Promise<{ id: string; token: string }> {
  const person = newPerson();
  const made = await server.api("POST", "/api/collections/users/records", person);
  const signedIn = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: person.email,
    password: person.password,
  });
  return { id: made.body.id, token: signedIn.body.token };
}

async function messagesOf(conversation: string, token: string): Promise<Message[]> {
  const filter = encodeURIComponent(`conversationId = "${conversation}"`);
  const path = `/api/collections/messages/records?sort=ord&perPage=500&filter=${filter}`;
  return (await server.api("GET", path, undefined, token)).body.items;
}

const sent = () => untilSent(client);

async function offline(): Promise<void> {
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
}

async function backOnline(): Promise<void> {
  network.intercept = null;
  await client.sync();
  await client.outbox.drain();
  await sent();
}

const photo = {
  file: new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }),
  thumbnail: new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }),
  contentType: "image/jpeg",
  originalFilename: "photo.jpg",
};

test("a chat that is started and written in without the network arrives whole and in its order", async () => {
  await offline();
  const started = await client.writes.createOrGetConversation(other.id);
  chat = valueIn(started).conversationId;
  expect(started).toMatchObject({ success: true });
  for (const text of ["one", "two"]) await client.writes.sendTextMessage(chat, text);
  await client.writes.sendPhotoMessage(chat, photo, "three");
  await client.writes.sendTextMessage(chat, "four");
  expect(await messagesOf(chat, other.token)).toEqual([]);
  await backOnline();
  const messages = await messagesOf(chat, other.token);
  expect(messages.map(({ message, senderId }) => [message, senderId])).toEqual(
    ["one", "two", "three", "four"].map((text) => [text, me.id]),
  );
  expect(messages[2]).toMatchObject({ type: "photo" });
  expect(messages[2]?.image).not.toBe("");
});

test("answers that never come double no message and change no order", async () => {
  const before = (await messagesOf(chat, other.token)).length;
  const asked = new Map<string, number>();
  network.intercept = ({ method, path }, send) => {
    if (method !== "POST" || !/messages/.test(path)) return null;
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    return times % 2 === 1 ? loseAnswer(send) : null;
  };
  await client.writes.sendTextMessage(chat, "five");
  await client.writes.sendPhotoMessage(chat, photo, "six");
  await client.writes.sendTextMessage(chat, "seven");
  await sent();
  const texts = (await messagesOf(chat, other.token)).slice(before).map(({ message }) => message);
  expect(texts).toEqual(["five", "six", "seven"]);
});

test("a message deleted right after it was written is gone for both, and marking as read is done once", async () => {
  await offline();
  const written = await client.writes.sendTextMessage(chat, "never mind");
  const messageId = valueIn(written).messageId;
  await client.writes.deleteMessage(chat, messageId);
  await backOnline();
  const gone = (await messagesOf(chat, other.token)).find(({ id }) => id === messageId);
  expect(gone).toMatchObject({ deleted: true, message: "" });

  const body = { conversationId: chat, senderId: other.id, message: "Read me", type: "text" };
  await server.api("POST", "/api/collections/messages/records", body, other.token);
  await client.sync();
  expect(await specificationOf(client).getUnreadChatCount()).toMatchObject({ count: 1 });
  const told: string[] = [];
  const leave = client.onEvent((event) => {
    if (event.type === "messages-read") told.push(event.conversationId);
  });
  await offline();
  await client.writes.markMessagesRead(chat);
  await client.writes.markMessagesRead(chat);
  leave();
  expect(told).toEqual([chat, chat]);
  await until(client.outbox.watch(), ({ items }) => items.length === 1);
  await backOnline();
  await client.sync();
  expect(await specificationOf(client).getUnreadChatCount()).toMatchObject({ count: 0 });
});

test("a message that the server refuses stands with its reason and lets the next conversation pass", async () => {
  const third = await newOther();
  const started = await client.writes.createOrGetConversation(third.id);
  await server.api(
    "POST",
    "/api/collections/blocks/records",
    { id: `${other.id}_${me.id}`, blockerId: other.id, blockedId: me.id },
    other.token,
  );
  await client.writes.sendTextMessage(chat, "Are you there?");
  await client.writes.sendPhotoMessage(chat, photo);
  const elsewhere = valueIn(started).conversationId;
  await client.writes.sendTextMessage(elsewhere, "Hello");
  const queue = await until(client.outbox.watch(), ({ ready, refused, waiting }) => {
    return ready && refused === 2 && waiting === 0;
  });
  expect(queue.items.map(({ kind, code }) => [kind, code])).toEqual([
    ["message.send", "blocked"],
    ["message.photo", "blocked"],
  ]);
  expect((await messagesOf(elsewhere, third.token)).map(({ message }) => message)).toEqual([
    "Hello",
  ]);
  expect(await client.writes.createOrGetConversation(me.id)).toMatchObject({ error: "self" });
  for (const { id } of queue.items) await client.outbox.discard(id);
});

test("what was queued for a conversation that is gone is told, and not tried for ever", async () => {
  const third = await newOther();
  const started = await client.writes.createOrGetConversation(third.id);
  const doomed = valueIn(started).conversationId;
  await client.writes.sendTextMessage(doomed, "Soon gone");
  await sent();
  await client.sync();
  await offline();
  await client.writes.sendTextMessage(doomed, "Too late");
  await client.writes.sendPhotoMessage(doomed, photo);
  const admin = await createSuperuser(server);
  await server.api(
    "DELETE",
    `/api/collections/conversations/records/${doomed}`,
    undefined,
    admin.token,
  );
  network.intercept = null;
  await client.sync();
  await client.outbox.drain();
  const queue = await until(client.outbox.watch(), ({ refused }) => refused === 2);
  expect(queue.items.map(({ code }) => code)).toEqual(["no_conversation", "no_conversation"]);
  for (const { id } of queue.items) await client.outbox.discard(id);
});

test.each([
  ["busy", 503],
  ["without a word of its own", 400],
])("a chat that is started while the server is %s waits, and is there after", async (_, status) => {
  const third = await newOther();
  const path = "/api/collections/conversations/records";
  network.intercept = ({ method, path: asked }) =>
    method === "POST" && asked === path
      ? Promise.resolve(
          Response.json({ status, message: "Something went wrong.", data: {} }, { status }),
        )
      : null;
  const started = await client.writes.createOrGetConversation(third.id);
  expect(started).toMatchObject({ success: true });
  const id = valueIn(started).conversationId;
  await client.writes.sendTextMessage(id, "Hello");
  await backOnline();
  expect((await messagesOf(id, third.token)).map(({ message }) => message)).toEqual(["Hello"]);
});
