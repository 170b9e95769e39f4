/**
 * A community whose files lie in a bucket: everything that is done with files, and what becomes of
 * it when the store is slow, fails or is cut off.
 */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { value } from "@tests/integration/admin/panel";
import { createDevice } from "@tests/integration/client/device";
import { sent } from "@tests/integration/client/live";
import { photo, signUp as signUpOn, video } from "@tests/integration/client/people";
import { conversationIdOf, must, type Stage, setStage } from "@tests/integration/rules/stage";
import { finish as finishOn, small } from "@tests/integration/storage/finish";
import { type FaultProxy, pass, startFaultProxy } from "@tests/support/fault-proxy";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { freePort, type SignedIn, signUp, temporaryFolder } from "@tests/support/pocketbase";
import { readZip } from "@tests/support/read-zip";
import { type S3Store, startS3 } from "@tests/support/s3";
import { startScript } from "@tests/support/start-script";
import { upload } from "@tests/support/tus";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AdminClient } from "@/data/admin/admin-client";

let store: S3Store;
let proxy: FaultProxy;
let stage: Stage;
beforeAll(async () => {
  store = await startS3();
  proxy = await startFaultProxy({ target: store.url });
  stage = await setStage({ env: store.env(proxy.url) });
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await stage?.server.stop();
  await proxy?.close();
  await store?.close();
});

let made = 0;
const newId = () => `bucketmedium${String(made++).padStart(3, "0")}`;

const finish = (who: SignedIn, name: FixtureName) => finishOn(stage.server, who, newId(), name);

const fileOf = (collection: string, row: { id: string }, name: string, query = "") =>
  fetch(`${stage.server.url}/api/files/${collection}/${row.id}/${name}${query}`);

const keysOf = (id: string) => store.keys().filter((key) => key.split("/")[1] === id);
const namesOf = (id: string) => keysOf(id).map((key) => key.split("/")[2]);

/** Files are deleted after the answer. */
const untilGone = (id: string) => expect.poll(() => keysOf(id)).toEqual([]);

/** One client at a time is open in a thread. */
async function asAdmin(work: (panel: AdminClient) => Promise<void>): Promise<void> {
  const client = createDevice(stage.server.url).start();
  value(await client.auth.signIn(stage.admin.email, stage.admin.password));
  await work(client.admin);
  await client.close();
}

// First: the import fills only an empty server.
test("npm run import brings files there", async () => {
  const folder = temporaryFolder();
  const date = 1_600_000_000;
  const records = [{ id: "Old-1", uid: "Uid-Ann", file: "photo.jpg", date, title: "Old" }];
  writeFileSync(path.join(folder, "media.json"), JSON.stringify({ media: records }));
  writeFileSync(path.join(folder, "photo.jpg"), mediaFixture("photo.jpg"));
  const { port, dataDir } = stage.server;
  const env = { PORT: String(port), DATA_DIR: dataDir };
  const { code, err } = await startScript("import.mjs", [folder], env).ended;
  expect(`${code} ${err}`).toMatch(/^0 /);
  const [row] = (await stage.list("media", 'filter=caption="Old"')).body.items;
  expect(namesOf(row.id)).toContain(row.file);
  expect((await fileOf("media", row, row.file)).status).toBe(200);
});

describe("in a bucket", () => {
  test.each<[FixtureName, string]>([
    ["photo.jpg", "image/jpeg"],
    ["photo.png", "image/png"],
    ["photo.gif", "image/gif"],
    ["photo.webp", "image/webp"],
    ["video.mp4", "video/mp4"],
    ["video.m4v", "video/x-m4v"],
    ["video.mov", "video/quicktime"],
    ["video.3gp", "video/3gpp"],
    ["video.webm", "video/webm"],
  ])("%s is stored with its renditions, as %s, whole and in parts", async (name, type) => {
    const row = must(await finish(stage.ann, name)).body;
    expect(namesOf(row.id)).toEqual([row.file, row.preview, row.thumbnail].sort());
    const bytes = Buffer.from(mediaFixture(name));
    const answer = await fileOf("media", row, row.file);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const url = `${stage.server.url}/api/files/media/${row.id}/${row.file}`;
    const part = await fetch(url, { headers: { range: "bytes=40-59" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 40-59/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(40, 60));
    expect(existsSync(path.join(stage.server.dataDir, "storage"))).toBe(false);
  });

  test("a profile picture replaces the one before, and both sizes are served", async () => {
    const who = await signUp(stage.server);
    const form = () => {
      const body = new FormData();
      for (const name of ["profilePicture", "profileThumbnail"]) body.set(name, small(), "a.jpg");
      return body;
    };
    const first = must(await stage.update("users", who.id, form(), who)).body;
    const second = must(await stage.update("users", who.id, form(), who)).body;
    expect(second.profilePicture).not.toBe(first.profilePicture);
    const names = [second.profilePicture, second.profileThumbnail];
    await expect.poll(() => namesOf(who.id)).toEqual(names.sort());
    for (const name of names) expect((await fileOf("users", who, name)).status).toBe(200);
  });

  test("subtitles are stored and served", async () => {
    const row = must(await finish(stage.ann, "video.webm")).body;
    const text = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n";
    const changed = must(await stage.update("media", row.id, { subtitles: text }, stage.ann)).body;
    expect(await (await fileOf("media", row, changed.subtitles)).text()).toBe(text);
  });

  test("a chat photo is for its two people, and for an admin by the panel", async () => {
    const { ann, bob, admin, server } = stage;
    await stage.conversation(ann, bob);
    const form = new FormData();
    form.set("id", "bucketmessage01");
    form.set("uploadId", await upload(server, ann.token, mediaFixture("photo.jpg")));
    form.set("conversationId", conversationIdOf(ann, bob));
    form.set("thumbnail", small(), "t.jpg");
    const row = must(await server.api("POST", "/api/messages/photo", form, ann.token)).body;
    const tokenOf = async (who: SignedIn) =>
      must(await server.api("POST", "/api/files/token", {}, who.token)).body.token as string;
    const stranger = await signUp(server);
    const read = async (query: string) => (await fileOf("messages", row, row.image, query)).status;
    expect(await read(`?token=${await tokenOf(bob)}`)).toBe(200);
    expect(await read(`?token=${await tokenOf(stranger)}`)).toBe(404);
    expect(await read("")).toBe(404);
    const seen = await fetch(
      `${server.url}/api/admin/messages/${row.id}/image?token=${await tokenOf(admin)}`,
    );
    expect(Buffer.from(await seen.arrayBuffer())).toEqual(Buffer.from(mediaFixture("photo.jpg")));
  });

  test("what is deleted goes from there, and with an account all of its own", async () => {
    const who = await signUp(stage.server);
    const one = must(await finish(who, "photo.jpg")).body;
    const two = must(await finish(who, "video.mp4")).body;
    must(await stage.remove("media", one.id, who));
    await untilGone(one.id);
    expect(keysOf(two.id)).toHaveLength(3);
    const body = { password: who.password };
    must(await stage.server.api("POST", "/api/account/delete", body, who.token));
    await untilGone(two.id);
  });

  test("the archive of one's own data holds the files", async () => {
    const client = createDevice(stage.server.url).start();
    await signUpOn(client);
    await client.writes.uploadMedia(photo("Kept"));
    await sent(client);
    const archive = await client.exportData({
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    if (!archive.success) throw new Error(archive.error);
    expect(archive.value.missing).toBe(0);
    const entries = await readZip(archive.value.archive);
    const [file] = [...entries].filter(([name]) => /^media\/.*\.jpg$/.test(name));
    expect(file?.[1].bytes.equals(Buffer.from(mediaFixture("photo.jpg")))).toBe(true);
    await client.close();
  });
});

const isStoring = ({ method, path: where }: { method: string; path: string }) =>
  method === "PUT" || (method === "POST" && where.includes("upload"));

/** One for each of two files. */
const FAULTS = 2;

describe("with a store that fails", () => {
  test.each<[string, ReturnType<FaultProxy["decide"]>]>([
    ["never heard of", { kind: "drop-before" }],
    ["done without an answer", { kind: "drop-after" }],
    ["cut off", { kind: "cut-request", at: 100 }],
    ["refused as busy", { kind: "status", status: 503 }],
  ])("a write that is %s loses no upload and doubles none", async (_how, fault) => {
    const client = createDevice(stage.server.url, { delay: async () => {} }).start();
    const me = await signUpOn(client);
    let faults = 0;
    proxy.decide = (request) => {
      if (!isStoring(request) || faults === FAULTS) return pass();
      faults += 1;
      return fault;
    };
    await client.writes.uploadMedia(photo("Still here"));
    await client.writes.uploadMedia(video("This too"));
    await sent(client);
    expect(faults).toBe(FAULTS);
    const rows = (await stage.list("media", `filter=userId="${me.id}"`)).body.items;
    expect(rows.map(({ caption }: { caption: string }) => caption).sort()).toEqual([
      "Still here",
      "This too",
    ]);
    for (const row of rows) {
      for (const name of [row.file, row.thumbnail, row.preview]) {
        expect((await fileOf("media", row, name)).status).toBe(200);
      }
    }
    expect(await stage.number(`SELECT count(*) FROM uploads WHERE owner = '${me.id}'`)).toBe(0);
    await client.close();
  });

  test("a profile picture is not refused for good", async () => {
    const who = await signUp(stage.server);
    const form = new FormData();
    form.set("profilePicture", small(), "a.jpg");
    proxy.decide = () => ({ kind: "status", status: 503 });
    const answer = await stage.update("users", who.id, form, who);
    expect([answer.status, answer.body.code]).toEqual([503, "server"]);
    expect(answer.headers.get("retry-after")).toBe("3");
    proxy.heal();
    must(await stage.update("users", who.id, form, who));
  });

  test("other writes do not wait for what is being stored", async () => {
    const row = must(await finish(stage.ann, "video.webm")).body;
    let letGo = () => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    proxy.decide = (request) => (isStoring(request) ? { kind: "withhold", until } : pass());
    const text = "WEBVTT\n\n00:00.000 --> 00:01.000\nSlow\n";
    const before = proxy.seen.length;
    const slow = stage.update("media", row.id, { subtitles: text }, stage.ann);
    await expect.poll(() => proxy.seen.slice(before).some(isStoring)).toBe(true);
    must(
      await stage.create(
        "comments",
        { mediaId: row.id, userId: stage.bob.id, text: "Meanwhile" },
        stage.bob,
      ),
    );
    letGo();
    must(await slow);
  });

  test("subtitles whose old file does not go are not refused for good", async () => {
    const row = must(await finish(stage.ann, "video.webm")).body;
    const saying = (text: string) => `WEBVTT\n\n00:00.000 --> 00:01.000\n${text}\n`;
    const change = (subtitles: string) => stage.update("media", row.id, { subtitles }, stage.ann);
    const first = must(await change(saying("First"))).body.subtitles;
    let lost = 0;
    proxy.decide = ({ method }) => {
      if (method !== "DELETE") return pass();
      lost += 1;
      return { kind: "status", status: 503 };
    };
    const answer = await change(saying("Second"));
    expect([answer.status, answer.body.code]).toEqual([503, "server"]);
    expect(lost).toBeGreaterThan(0);
    proxy.heal();
    const { subtitles } = must(await change(saying("Second"))).body;
    expect(subtitles).not.toBe(first);
    expect(await (await fileOf("media", row, subtitles)).text()).toBe(saying("Second"));
    must(await stage.remove("media", row.id, stage.ann));
    await untilGone(row.id);
  });

  test("a delete that was lost is made up for by the cleanup", async () => {
    const row = must(await finish(stage.ann, "photo.jpg")).body;
    const kept = must(await finish(stage.ann, "photo.jpg")).body;
    let lost = 0;
    const lose: FaultProxy["decide"] = ({ method }) => {
      if (method !== "DELETE") return pass();
      lost += 1;
      return { kind: "drop-before" };
    };
    proxy.decide = lose;
    must(await stage.remove("media", row.id, stage.ann));
    await expect.poll(() => lost).toBeGreaterThan(0);
    expect(keysOf(row.id)).toHaveLength(3);
    await asAdmin(async (panel) => {
      const preview = async () => value(await panel.previewCleanup("orphaned-files"));
      const clean = async () => value(await panel.runCleanup("orphaned-files"));
      expect((await clean()).items).toBe(0);
      store.age(3);
      const { items, bytes } = await preview();
      expect(items).toBeGreaterThanOrEqual(3);
      expect(bytes).toBeGreaterThanOrEqual(3 * mediaFixture("photo.jpg").length);
      expect((await clean()).items).toBe(0);
      expect(keysOf(row.id)).toHaveLength(3);
      proxy.heal();
      expect((await clean()).items).toBe(items);
      expect(keysOf(row.id)).toEqual([]);
      expect(keysOf(kept.id)).toHaveLength(3);
      expect(await preview()).toEqual({ items: 0, bytes: 0 });
    });
  });

  test("a step of the cleanup ends within a store that is slow, and the next one goes on", async () => {
    const rows: { id: string }[] = [];
    for (let i = 0; i < 3; i++) rows.push(must(await finish(stage.ann, "photo.jpg")).body);
    const isDelete = ({ method }: { method: string }) => method === "DELETE";
    // Of each row three files and the folder: what is asked for later would reach the store.
    const lost = new Set<string>();
    proxy.decide = (request) => {
      if (!isDelete(request)) return pass();
      if (rows.some(({ id }) => request.path.includes(id))) lost.add(request.path);
      return { kind: "drop-before" };
    };
    for (const row of rows) must(await stage.remove("media", row.id, stage.ann));
    await expect.poll(() => lost.size).toBe(12);
    store.age(3);
    // One row's three files take longer than a step.
    proxy.decide = (request) => (isDelete(request) ? { kind: "delay", ms: 400 } : pass());
    const ends: string[] = [];
    let [items, next]: [number, string | null] = [0, "media/"];
    while (next !== null && ends.length < 20) {
      const clean: string = `/api/admin/cleanup/orphaned-files?after=${next}`;
      const { body } = must(await stage.server.api("POST", clean, undefined, stage.admin.token));
      items += body.items;
      next = body.next as string | null;
      ends.push(String(next));
    }
    const ids = rows.map(({ id }) => `media/${id}`).sort();
    expect(ends.slice(0, 2)).toEqual(ids.slice(0, 2));
    expect([items, next]).toEqual([9, null]);
    for (const { id } of rows) expect(keysOf(id)).toEqual([]);
  });

  test("a bucket that cannot be listed is said, and nothing is removed", async () => {
    const row = must(await finish(stage.ann, "photo.jpg")).body;
    store.age(3);
    const keys = store.keys();
    expect(keys).toEqual(expect.arrayContaining(keysOf(row.id)));
    const isList = (where: string) => new URL(where, "http://x").searchParams.has("list-type");
    let lists = 0;
    proxy.decide = ({ path: where }) => {
      if (!isList(where)) return pass();
      lists += 1;
      return { kind: "portal" };
    };
    const clean = "/api/admin/cleanup/orphaned-files";
    const answer = await stage.server.api("POST", clean, undefined, stage.admin.token);
    expect(answer.status).toBe(503);
    expect(lists).toBeGreaterThan(0);
    expect(store.keys()).toEqual(keys);
  });
});

describe("npm start", () => {
  test.each<[string, (env: Record<string, string>) => Record<string, string>, RegExp]>([
    ["without a part of it", ({ S3_SECRET: _, ...env }) => env, /^Set S3_SECRET too/],
    ["with a word for an address", (env) => ({ ...env, S3_ENDPOINT: "minio" }), /^S3_ENDPOINT is/],
    [
      "with another's key",
      (env) => ({ ...env, S3_ACCESS_KEY: "other" }),
      /would not write an object \(403 \w+\)\. Correct S3_ACCESS_KEY/,
    ],
    [
      "with a bucket that is not there",
      (env) => ({ ...env, S3_BUCKET: "nowhere" }),
      /would not write an object \(404 NoSuchBucket\)\. Make the bucket/,
    ],
    [
      "with a store that does not run",
      (env) => ({ ...env, S3_ENDPOINT: "http://127.0.0.1:65531" }),
      /would not write an object \(\w+\)\. Is S3_ENDPOINT right/,
    ],
  ])("%s ends with one sentence", async (_how, change, sentence) => {
    const env = { PORT: String(await freePort()), DATA_DIR: temporaryFolder() };
    const started = startScript("start.mjs", [], { ...env, ...change(store.env()) });
    const { code, out, err } = await started.ended;
    expect([code, out]).toEqual([1, ""]);
    expect(err.trimEnd().split("\n")).toEqual([expect.stringMatching(sentence)]);
    expect(err).not.toContain("S3RVER");
  });
});
