import { cpSync, rmSync } from "node:fs";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { upload as uploadBytes } from "@tests/support/tus";
import { valueIn } from "@tests/support/value-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { specificationOf } from "@/data/specification";
import { createDevice, type Device } from "./device";
import { found, until, untilSent } from "./live";
import { newPerson, PASSWORD, photo, signUp } from "./people";

const TOO_MANY = { status: 429, code: "rate_limited", message: "Wait.", data: {} };
const DAY_MS = 24 * 3_600_000;

let server: PocketBase;
let device: Device;
let client: Client;
let me: { id: string; email: string };
let other: { id: string; token: string };
let backup: string;
/** Milliseconds by which the device's clock is ahead. */
let later = 0;
/** Whether no pull gets through. */
let isDeaf = false;
/** What a pull waits for. */
let gate = Promise.resolve();
/** Told of every request that was answered. */
let onAnswer: (method: string, url: string) => void = () => {};
beforeAll(async () => {
  server = await startPocketBase();
  backup = `${server.dataDir}-backup`;
  device = createDevice(server.url, {
    now: () => Date.now() + later,
    fetch: async (input, init) => {
      const url = String(input);
      const isPull = url.includes("/api/sync");
      if (isDeaf && isPull) return Response.json(TOO_MANY, { status: 429 });
      if (isPull) await gate;
      const answer = await fetch(input, init);
      onAnswer(init?.method ?? "GET", url);
      return answer;
    },
  });
  client = device.start();
  me = await signUp(client);
  other = await newPersonOnServer();
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

async function backUp(): Promise<void> {
  await server.stop();
  rmSync(backup, { recursive: true, force: true });
  cpSync(server.dataDir, backup, { recursive: true });
  await server.restart();
}

async function restore(): Promise<void> {
  await server.stop();
  rmSync(server.dataDir, { recursive: true, force: true });
  cpSync(backup, server.dataDir, { recursive: true });
  await server.restart();
}

const sent = () => untilSent(client);

async function settled(): Promise<void> {
  await until(client.connection, (connection) => connection === "online");
  await client.outbox.drain();
  await sent();
  expect(await client.sync()).toMatchObject({ success: true });
}

async function upload(caption: string): Promise<string> {
  const queued = await client.writes.uploadMedia(photo(caption));
  if (!queued.success) throw new Error(queued.error);
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
  return queued.value.mediaId;
}

const row = async (path: string) =>
  (await server.api("GET", `/api/collections/${path}`, undefined, other.token)).body;

async function newPersonOnServer(): Promise<{ id: string; token: string }> {
  const person = newPerson();
  const made = await server.api("POST", "/api/collections/users/records", person);
  const signedIn = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: person.email,
    password: person.password,
  });
  return { id: made.body.id, token: signedIn.body.token };
}

async function chatWith(person: { id: string; token: string }) {
  const id = [me.id, person.id].sort().join("_");
  const body = { id, participants: [me.id, person.id].sort() };
  await server.api("POST", "/api/collections/conversations/records", body, person.token);
  return { ...person, chat: id };
}

async function writeAs(token: string, conversationId: string, message: string): Promise<void> {
  const senderId = JSON.parse(atob(token.split(".")[1] ?? "")).id as string;
  const body = { conversationId, senderId, message, type: "text" };
  expect(await server.api("POST", "/api/collections/messages/records", body, token)).toMatchObject({
    status: 200,
  });
}

/** A photo of somebody else's. */
async function uploadAs(token: string, caption: string, id = "theirs000000000"): Promise<string> {
  const uploadId = await uploadBytes(server, token, mediaFixture("photo.jpg"));
  const form = new FormData();
  const fields = { id, uploadId, caption, tags: "[]", type: "photo" };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const headers = { authorization: token };
  const answer = await fetch(`${server.url}/api/media`, { method: "POST", headers, body: form });
  expect(answer.status).toBe(200);
  return fields.id;
}

const photoMessage = {
  file: new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }),
  thumbnail: null,
  contentType: "image/jpeg",
  originalFilename: "photo.jpg",
};

test("what a restored server lost of mine is offered again, each thing once and under its own id", async () => {
  const { writes } = client;
  const old = await upload("From before the backup");
  const unliked = await upload("Liked before the backup");
  await writes.setLike(unliked, true);
  const doomed = await upload("Deleted after the backup");
  await sent();
  await client.sync();
  await backUp();
  await client.sync();

  const lost = await upload("Lost with the backup");
  const file = await (
    await fetch((await specificationOf(client).getMedia(lost)).value?.url ?? "")
  ).arrayBuffer();
  const gone = await upload("Thrown away by myself");
  await writes.setLike(old, true);
  await writes.setLike(unliked, false);
  const comment = await writes.addComment(lost, "A comment on it");
  await writes.followUser(other.id);
  const started = await writes.createOrGetConversation(other.id);
  const chat = valueIn(started).conversationId;
  await writes.sendTextMessage(chat, "first");
  await writes.sendPhotoMessage(chat, photoMessage, "second");
  await writes.sendTextMessage(chat, "third");
  await writes.deleteMedia(doomed);
  await writes.deleteMedia(gone);
  await sent();
  await client.sync();

  await restore();
  expect(await row(`media/records/${lost}`)).toMatchObject({ status: 404 });
  await client.sync();
  await settled();

  const medium = await row(`media/records/${lost}`);
  expect(medium).toMatchObject({ userId: me.id, caption: "Lost with the backup", comments: 1 });
  const again = (await specificationOf(client).getMedia(lost)).value;
  expect(Buffer.from(await (await fetch(again?.url ?? "")).arrayBuffer())).toEqual(
    Buffer.from(file),
  );
  expect(await row(`comments/records/${valueIn(comment).commentId}`)).toMatchObject({
    text: "A comment on it",
  });
  expect(await row(`media/records/${old}`)).toMatchObject({ likes: 1 });
  expect(await row(`media/records/${unliked}`)).toMatchObject({ likes: 0 });
  expect(await row(`profiles/records/${other.id}`)).toMatchObject({ followers: 1 });
  const messages = await row("messages/records?sort=ord");
  expect(messages.items.map(({ message }: { message: string }) => message)).toEqual([
    "first",
    "second",
    "third",
  ]);
  for (const id of [doomed, gone]) {
    expect(await row(`media/records/${id}`)).toMatchObject({ status: 404 });
  }
  expect((await row("media/records")).items).toHaveLength(3);
  expect(client.outbox.watch().getSnapshot().refused).toBe(0);
});

test("what somebody else removed before the restore stays removed", async () => {
  const mine = await upload("Mine on two devices");
  await client.sync();
  await backUp();
  const added = await client.writes.addComment(mine, "Taken back elsewhere");
  await sent();
  await client.sync();
  const commentId = valueIn(added).commentId;
  const token = JSON.parse([...device.local.values()][0] ?? "{}").token as string;
  await server.api("DELETE", `/api/collections/comments/records/${commentId}`, undefined, token);
  await client.sync();
  await restore();
  await client.sync();
  await settled();
  expect(await row(`comments/records/${commentId}`)).toMatchObject({ status: 404 });
});

test("a like that was tried before its medium came back is sent once that is back", async () => {
  await backUp();
  await client.sync();
  const theirs = await uploadAs(other.token, "Back after its like", "late00000000000");
  await client.sync();
  isDeaf = true;
  await client.writes.setLike(theirs, true);
  await expect.poll(async () => (await row(`media/records/${theirs}`)).likes).toBe(1);

  await restore();
  let tellTried = () => {};
  const tried = new Promise<void>((resolve) => {
    tellTried = resolve;
  });
  onAnswer = (method, url) => {
    // The device has learnt that its like is lost: the pull goes on once that was sent again.
    if (url.includes(`/likes/records/${theirs}`)) gate = tried;
    if (method === "POST" && url.endsWith("/likes/records")) tellTried();
  };
  isDeaf = false;
  await client.sync();
  await tried;
  await settled();
  await uploadAs(other.token, "Back after its like", theirs);
  await client.sync();
  await settled();
  const { likes } = await row(`media/records/${theirs}`);
  expect(likes).toBe(1);
});

test("a changed profile, a read chat and a view are offered again, and nothing unseen is called read", async () => {
  const { writes } = client;
  const theirs = await uploadAs(other.token, "Seen by me");
  const { chat } = await chatWith(other);
  await writeAs(other.token, chat, "Before the backup");
  const unseen = await chatWith(await newPersonOnServer());
  await writeAs(unseen.token, unseen.chat, "Seen");
  await client.sync();
  await backUp();
  await client.sync();

  expect(
    await writes.updateProfile({
      bio: "Told twice",
      picture: { file: photoMessage.file, thumbnail: null },
    }),
  ).toMatchObject({ success: true });
  await writes.markMessagesRead(chat);
  await writes.recordView(theirs);
  await sent();
  await client.sync();
  const views = async () => (await row(`media/records/${theirs}`)).views;
  // A view is no part of the queue that a person sees.
  await expect.poll(views).toBe(1);

  await restore();
  expect(await row(`profiles/records/${me.id}`)).toMatchObject({ bio: "" });
  expect(await views()).toBe(0);
  await client.sync();
  await settled();
  const mine = await row(`profiles/records/${me.id}`);
  expect(mine).toMatchObject({ bio: "Told twice" });
  expect(mine.profilePicture).not.toBe("");
  await expect.poll(views).toBe(1);
  const written = encodeURIComponent(`senderId = "${other.id}"`);
  expect((await row(`messages/records?filter=${written}`)).items).toMatchObject([{ read: true }]);

  await backUp();
  await writes.markMessagesRead(unseen.chat);
  await sent();
  await client.sync();
  await restore();
  await writeAs(unseen.token, unseen.chat, "Never seen");
  await client.sync();
  await settled();
  const left = await server.api(
    "GET",
    "/api/collections/messages/records",
    undefined,
    unseen.token,
  );
  expect(left.body.items.map(({ read }: { read: boolean }) => read)).toEqual([false, false]);
});

test("after a day nothing of it is kept any more", async () => {
  expect(await client.storage.usage()).toMatchObject({ queuedBytes: 0 });
  expect((await client.storage.usage()).keptBytes).toBeGreaterThan(0);
  later = DAY_MS + 1;
  await client.sync();
  expect((await client.storage.usage()).keptBytes).toBe(0);
});

test("what was acknowledged just before a sign-out is offered again at the next sign-in", async () => {
  const mine = await upload("Mine before I leave");
  await client.sync();
  await backUp();
  await client.sync();
  isDeaf = true;
  const comment = await client.writes.addComment(mine, "Sent, and never seen again");
  const commentId = valueIn(comment).commentId;
  await expect.poll(() => row(`comments/records/${commentId}`)).toMatchObject({ mediaId: mine });
  await sent();
  await client.auth.signOut("keep");
  isDeaf = false;
  await restore();
  const signedIn = await client.auth.signIn(me.email, PASSWORD);
  expect(signedIn).toMatchObject({ success: true });
  await client.sync();
  await settled();
  expect(await row(`comments/records/${commentId}`)).toMatchObject({ mediaId: mine });
});

test("what was acknowledged before the first pull came to its end is there after it", async () => {
  await client.auth.signOut("keep");
  isDeaf = true;
  await client.auth.signIn(me.email, PASSWORD);
  const { items } = (await row("media/records")) as { items: { id: string }[] };
  const comment = await client.writes.addComment(items[0]?.id ?? "", "Written too early");
  const commentId = valueIn(comment).commentId;
  await expect.poll(() => row(`comments/records/${commentId}`)).toMatchObject({ userId: me.id });
  isDeaf = false;
  await settled();
  expect(device.holds(commentId, "--comments_")).toBe(true);
});
