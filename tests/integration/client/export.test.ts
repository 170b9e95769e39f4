/** One's own data as one archive. */
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  signUp as signUpOnServer,
  startPocketBase,
} from "@tests/support/pocketbase";
import { readZip } from "@tests/support/read-zip";
import { valueIn } from "@tests/support/value-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { ExportProgress } from "@/data/export/export-data";
import { createDevice } from "./device";
import { untilSent } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { photo, signUp } from "./people";

let server: PocketBase;
let network: Network;
let client: Client;
let me: { id: string; username: string; email: string };
const quiet = { signal: new AbortController().signal, onProgress: () => {} };

beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch, delay: async () => {} }).start();
  me = await signUp(client);
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

async function unpack(archive: Blob): Promise<(name: string) => Buffer> {
  const entries = await readZip(archive);
  return (name) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`no ${name} in ${[...entries.keys()].join(", ")}`);
    return entry.bytes;
  };
}

async function untilQueueSent(): Promise<void> {
  await client.outbox.drain();
  await untilSent(client);
}

test("holds one's media with their files, words, people and chats, and nothing of others", async () => {
  const ben = await signUpOnServer(server);
  const operator = await createSuperuser(server);
  const post = async (name: string, body: unknown, token = ben.token) => {
    const answer = await server.api("POST", `/api/collections/${name}/records`, body, token);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.id as string;
  };
  const uploaded = await client.writes.uploadMedia(photo("Möwen am Kai"));
  await client.writes.updateProfile({ bio: "Two lakes" });
  await client.writes.followUser(ben.id);
  await untilQueueSent();
  const mediaId = uploaded.success ? uploaded.value.mediaId : "";
  const theirs = await post(
    "media",
    { userId: ben.id, type: "photo", caption: "Not mine", tags: [] },
    operator.token,
  );
  await client.writes.addComment(theirs, "My words on theirs");
  const folder = await client.writes.createFolder("Gulls");
  await client.writes.setSave(theirs, true, valueIn(folder).folderId);
  await post("comments", { mediaId, userId: ben.id, text: "Their words on mine" });
  const chat = await post("conversations", { participants: [ben.id, me.id].sort() });
  await post("messages", { conversationId: chat, senderId: ben.id, message: "Hello you" });
  const picture = new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" });
  const sent = {
    file: picture,
    thumbnail: picture,
    contentType: "image/jpeg",
    originalFilename: "a.jpg",
  };
  const message = await client.writes.sendPhotoMessage(chat, sent);
  await untilQueueSent();
  const where = `/api/collections/messages/records/${valueIn(message).messageId}`;
  await expect
    .poll(async () => (await server.api("GET", where, undefined, ben.token)).status)
    .toBe(200);
  const steps: ExportProgress[] = [];
  const answer = await client.exportData({ ...quiet, onProgress: (step) => steps.push(step) });
  if (!answer.success) throw new Error(answer.error);
  expect(answer.value.missing).toBe(0);
  expect(steps.at(-1)).toEqual({ done: 2, files: 2 });
  const file = await unpack(answer.value.archive);
  const json = (name: string) => JSON.parse(file(name).toString());
  expect(json("profile.json")).toMatchObject({ email: me.email, bio: "Two lakes" });
  const [medium, ...more] = json("media.json");
  expect(more).toEqual([]);
  expect(medium).toMatchObject({ id: mediaId, caption: "Möwen am Kai", tags: ["sky", "sea"] });
  expect(medium.file).toMatch(/^media\/\d{4}-\d\d-\d\d-moewen-am-kai-[a-z0-9]{15}\.jpg$/);
  expect(file(medium.file).length).toBe(mediaFixture("photo.jpg").length);
  expect(json("comments.json")).toMatchObject([{ text: "My words on theirs" }]);
  expect(json("saved.json")).toMatchObject({
    folders: ["Gulls"],
    media: [{ mediaId: theirs, folder: "Gulls" }],
  });
  expect(json("people.json")).toMatchObject({
    following: [{ id: ben.id, username: ben.record.username }],
    followers: [],
  });
  const [conversation] = json("chats.json");
  const messageId = valueIn(message).messageId;
  expect(conversation).toMatchObject({
    with: { id: ben.id, username: ben.record.username },
    messages: [
      { from: "them", message: "Hello you" },
      { from: "me", image: `chats/${chat}/${messageId}.jpg` },
    ],
  });
  const image = file(`chats/${chat}/${messageId}.jpg`);
  expect(image.equals(Buffer.from(mediaFixture("photo.jpg")))).toBe(true);
});

test("names what could not be fetched, and ends when it is stopped or nobody answers", async () => {
  network.intercept = ({ path }) => (path.startsWith("/api/files/media/") ? cut() : null);
  const answer = await client.exportData(quiet);
  if (!answer.success) throw new Error(answer.error);
  expect(answer.value.missing).toBe(1);
  const missing = (await unpack(answer.value.archive))("missing.json");
  expect(JSON.parse(missing.toString())).toEqual([expect.stringContaining("media/")]);
  const stopped = new AbortController();
  const onProgress = () => stopped.abort();
  expect(await client.exportData({ signal: stopped.signal, onProgress })).toMatchObject({
    error: "canceled",
  });
  network.intercept = () => cut();
  expect(await client.exportData(quiet)).toMatchObject({ success: false, error: "network" });
  network.intercept = null;
});
