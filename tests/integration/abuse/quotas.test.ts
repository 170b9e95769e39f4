/** Quotas that hold: the account's storage, the disk's, and a creation whose answer was lost. */

import { statfsSync } from "node:fs";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { beginUpload, sendPiece } from "@tests/support/tus";
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
