/** Quotas that hold: the account's storage, the disk's, and a creation whose answer was lost. */

import { statfsSync } from "node:fs";
import { migrationsBefore, must, type Stage, setStage } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import { newFolder, startPocketBase } from "@tests/support/pocketbase";
import { beginUpload, sendPiece, upload } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";

const MB = 1024 * 1024;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const setLimits = async (limits: Record<string, number>) =>
  must(await stage.update("settings", "app", { limits }, stage.superuser));
const openUploads = (owner: string) =>
  stage.number(`SELECT count(*) FROM uploads WHERE owner = '${owner}'`);

test("an account's storage has an end, which is told, and deleting makes room", async () => {
  const { ann, server } = stage;
  await setLimits({ storageBytes: 10 * MB });
  const id = await stage.media(ann, { fileSize: 6 * MB });
  await beginUpload(server, ann.token, 3 * MB);
  const told = () => server.api("GET", "/api/account/storage", undefined, ann.token);
  expect((await told()).body).toEqual({ used: 9 * MB, limit: 10 * MB });
  await expect(beginUpload(server, ann.token, 2 * MB)).rejects.toThrow("413 quota");
  await beginUpload(server, stage.bob.token, 2 * MB);
  const imported = await fetch(`${server.url}/api/uploads`, {
    method: "POST",
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(2 * MB),
      "X-Acting-User": ann.id,
      Authorization: stage.superuser.token,
    },
  });
  expect(imported.status).toBe(201);
  must(await stage.remove("media", id, ann));
  await beginUpload(server, ann.token, 2 * MB);
  expect((await told()).body.used).toBe(7 * MB);
  expect((await server.api("GET", "/api/account/storage")).status).toBe(401);
  const users = await server.api("GET", "/api/admin/users", undefined, stage.admin.token);
  const row = users.body.items.find((user: { id: string }) => user.id === ann.id);
  expect(row.storage).toBe(0);
  await setLimits({});
});

test("chat photos count for their sender's storage until they are deleted, however they came", async () => {
  const { ann, bob, server, superuser } = stage;
  const used = async (who: typeof ann) =>
    (await server.api("GET", "/api/account/storage", undefined, who.token)).body.used as number;
  const [anns, bobs] = [await used(ann), await used(bob)];
  const chat = await stage.conversation(ann, bob);
  const photo = mediaFixture("photo.jpg");
  const form = new FormData();
  form.set("id", "photooftheday00");
  form.set("conversationId", chat);
  form.set("uploadId", await upload(server, ann.token, photo));
  const sent = must(await server.api("POST", "/api/messages/photo", form, ann.token)).body;
  expect(sent).not.toHaveProperty("photoSize");
  expect([await used(ann), await used(bob)]).toEqual([anns + photo.length, bobs]);
  const users = await server.api("GET", "/api/admin/users", undefined, stage.admin.token);
  const row = users.body.items.find((user: { id: string }) => user.id === ann.id);
  expect(row.storage).toBe(photo.length);

  const imported = new FormData();
  for (const [name, value] of Object.entries({ conversationId: chat, senderId: ann.id }))
    imported.set(name, value);
  imported.set("type", "photo");
  imported.set("image", new Blob([photo], { type: "image/jpeg" }), "old.jpg");
  const old = must(await stage.create("messages", imported, superuser)).body;
  expect(await used(ann)).toBe(anns + 2 * photo.length);

  await setLimits({ storageBytes: await used(ann) });
  await expect(beginUpload(server, ann.token, 1)).rejects.toThrow("413 quota");
  await setLimits({});
  must(await stage.update("messages", sent.id, { deleted: true }, ann));
  must(await stage.remove("messages", old.id, superuser));
  expect(await used(ann)).toBe(anns);
});

test("subtitles count for an account's storage, with every change, and must fit into it", async () => {
  const { ann, server, superuser } = stage;
  const id = await stage.media(ann, { type: "video", fileSize: MB });
  const used = async () =>
    (await server.api("GET", "/api/account/storage", undefined, ann.token)).body.used;
  const before = await used();
  const give = (text: string) => stage.update("media", id, { subtitles: text }, ann);
  const vtt = (words: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`;
  const grown = async () => (await used()) - before;
  must(await give(vtt("Ä".repeat(1_000))));
  expect(await grown()).toBe(Buffer.byteLength(vtt("Ä".repeat(1_000))));
  const users = await server.api("GET", "/api/admin/users", undefined, stage.admin.token);
  const row = users.body.items.find((user: { id: string }) => user.id === ann.id);
  expect(row.storage).toBe(MB + (await grown()));
  await setLimits({ storageBytes: await used() });
  expect(await give(vtt("Ä".repeat(1_001)))).toMatchObject({
    status: 413,
    body: { code: "quota" },
  });
  must(await give(vtt("Calm")));
  expect(await grown()).toBe(vtt("Calm").length);
  const form = new FormData();
  form.set("subtitles", new Blob([vtt("By hand")], { type: "text/vtt" }), "own.vtt");
  must(await stage.update("media", id, form, superuser));
  expect(await grown()).toBe(vtt("By hand").length);
  must(await give(""));
  expect(await grown()).toBe(0);
  must(await stage.remove("media", id, ann));
  expect(await used()).toBe(before - MB);
  await setLimits({});
});

test("what open uploads have announced is kept free on the disk for them", async () => {
  const { server, bob } = stage;
  const { bavail, bsize } = statfsSync(server.dataDir);
  // Room for one of the two, and some for what else this machine writes meanwhile.
  await setLimits({ minFreeDiskBytes: bavail * bsize - 300 * MB, openUploadBytes: 1024 * MB });
  const path = await beginUpload(server, bob.token, 190 * MB);
  await expect(beginUpload(server, bob.token, 190 * MB)).rejects.toThrow("507 storage_full");
  await sendPiece(server, bob.token, path, { offset: 0, body: new Uint8Array(MB) });
  await expect(beginUpload(server, bob.token, 190 * MB)).rejects.toThrow("507 storage_full");
  await setLimits({});
});

test("a creation whose answer was lost finds its upload again, as long as nothing has come", async () => {
  const { server, admin } = stage;
  const about = { filename: "film.mp4", filetype: "video/mp4", time: "1795000000000" };
  const begin = (more: Record<string, string> = {}, size = 195 * MB) =>
    beginUpload(server, admin.token, size, { ...about, ...more });
  const first = await begin();
  for (let i = 0; i < 5; i += 1) expect(await begin()).toBe(first);
  expect(await openUploads(admin.id)).toBe(1);
  const others = [await begin({ time: "1795000000001" }), await begin({ filename: "b" }, 1_000)];
  await sendPiece(server, admin.token, first, { offset: 0, body: new Uint8Array(10) });
  others.push(await begin());
  expect(new Set([first, ...others]).size).toBe(4);
  const unnamed = { filename: "film.mp4" };
  const [one, two] = [
    await beginUpload(server, admin.token, 1_000, unnamed),
    await beginUpload(server, admin.token, 1_000, unnamed),
  ];
  expect(one).not.toBe(two);
});

test("the migration counts the subtitles that an older database has", async () => {
  const dataDir = newFolder();
  const flags = migrationsBefore("1795000090-subtitles-size.js");
  const older = await setStage({ dataDir, flags });
  const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nÄ";
  const form = new FormData();
  for (const [name, value] of Object.entries({
    userId: older.ann.id,
    type: "video",
    fileSize: "1000",
  }))
    form.set(name, value);
  form.set("subtitles", new Blob([vtt], { type: "text/vtt" }), "own.vtt");
  must(await older.create("media", form, older.superuser));
  // Today's hooks write tags into a table that it has not.
  await older.media(older.ann, { fileSize: 20, tags: [] });
  await older.server.stop();
  const server = await startPocketBase({ dataDir });
  const answer = await server.api("GET", "/api/account/storage", undefined, older.ann.token);
  const used = 1_020 + Buffer.byteLength(vtt);
  expect(answer).toMatchObject({ status: 200, body: { used } });
  await server.stop();
});
