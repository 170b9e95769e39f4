/** What one saves, and its folders: at once, without a network, on one's other devices, and kept. */
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  startPocketBase,
  signUp as takePart,
} from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { SavedPage } from "@/data/saves/shapes";
import { pairId } from "@/domain/ids";
import { REPLICA_FIRST_MEDIA } from "@/domain/limits";
import { createDevice } from "./device";
import { ready, sent, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { signUp } from "./people";

let server: PocketBase;
let superuser: SignedIn;
let owner: SignedIn;
let network: Network;
let reader: Client;
let me: Awaited<ReturnType<typeof signUp>>;

const FAR = REPLICA_FIRST_MEDIA + 2;
const idOf = (n: number): string => `photo${String(n).padStart(10, "0")}`;

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  owner = await takePart(server);
  // The last two are not among those that a device pulls first.
  const media = Array.from({ length: FAR }, (_none, i) => i + 1);
  const rowOf = (n: number) => ({ id: idOf(n), caption: `Photo ${n}`, age: n });
  await seedMedia(server, superuser.token, owner.id, media.map(rowOf));
});
beforeEach(async () => {
  network = createNetwork();
  reader = createDevice(server.url, { fetch: network.fetch }).start();
  me = await signUp(reader);
});
afterEach(() => reader?.close());
afterAll(() => server?.stop());

const captions = ({ items }: SavedPage): string => items.map(({ caption }) => caption).join();
const rows = async (): Promise<Record<string, string>[]> => {
  const query = encodeURIComponent(`userId = '${me.id}'`);
  const path = `/api/collections/saves/records?filter=${query}`;
  return (await server.api("GET", path, undefined, superuser.token)).body.items;
};
async function addFolder(name: string): Promise<string> {
  const made = await reader.writes.createFolder(name);
  if (!made.success) throw new Error(made.error);
  return made.value.folderId;
}

test("a save stands at once, without a network too, and is the server's then", async () => {
  const saved = reader.reads.watchSaved(null, 30);
  expect(captions(await ready(saved))).toBe("");
  network.intercept = cut;
  await reader.writes.setSave(idOf(1), true);
  await until(reader.reads.watchSave(idOf(1)), (now) => now);
  await ready(saved, (page) => captions(page) === "Photo 1");
  await reader.writes.setSave(idOf(2), true);
  await ready(saved, (page) => captions(page) === "Photo 2,Photo 1");
  network.intercept = null;
  await sent(reader);
  expect((await rows()).map(({ mediaId }) => mediaId).sort()).toEqual([idOf(1), idOf(2)]);
  await reader.writes.setSave(idOf(1), false);
  await ready(saved, (page) => captions(page) === "Photo 2");
  await sent(reader);
  expect((await rows()).map(({ mediaId }) => mediaId)).toEqual([idOf(2)]);
});

test("folders are made, filled, named and taken away without a network, and on the server in that order", async () => {
  await reader.sync();
  network.intercept = cut;
  const folderId = await addFolder(" Inseln ");
  await reader.writes.setSave(idOf(1), true, folderId);
  await reader.writes.setSave(idOf(2), true);
  const folders = reader.reads.watchFolders(idOf(1));
  expect(await ready(folders, ({ folders: all }) => all[0]?.count === 1)).toEqual({
    folders: [{ id: folderId, name: "Inseln", count: 1 }],
    folderId,
  });
  await reader.writes.moveSave(idOf(2), folderId);
  await reader.writes.renameFolder(folderId, "Nordsee");
  const inside = reader.reads.watchSaved(folderId, 30);
  await ready(inside, (page) => captions(page) === "Photo 2,Photo 1");
  network.intercept = null;
  await sent(reader);
  await reader.sync();
  expect(await ready(folders)).toMatchObject({ folders: [{ name: "Nordsee", count: 2 }] });
  expect((await rows()).map(({ folderId: id, name }) => `${id}${name}`).sort()).toEqual(
    [folderId, folderId, "Nordsee"].sort(),
  );
  await reader.writes.deleteFolder(folderId);
  await ready(folders, ({ folders: all }) => all.length === 0);
  await sent(reader);
  await reader.sync();
  const { items } = await ready(reader.reads.watchSaved(null, 30));
  expect(items.map(({ id }) => id).sort()).toEqual([idOf(1), idOf(2)]);
});

test("a name that is none is refused here, and makes no folder", async () => {
  expect(await reader.writes.createFolder(" \u200b ")).toMatchObject({ error: "text_empty" });
  expect(await reader.writes.createFolder("x".repeat(51))).toMatchObject({ error: "text_long" });
  const id = await addFolder("Meer");
  expect(await reader.writes.renameFolder(id, "")).toMatchObject({ error: "text_empty" });
  await sent(reader);
  expect(await rows()).toMatchObject([{ name: "Meer" }]);
});

/** On another device of the person's, as the server sees it. */
async function saveElsewhere(n: number): Promise<void> {
  const { id: userId, email: identity, password } = me;
  const path = "/api/collections/users/auth-with-password";
  const { token } = (await server.api("POST", path, { identity, password })).body;
  const save = { id: pairId(userId, idOf(n)), userId, mediaId: idOf(n) };
  expect((await server.api("POST", "/api/collections/saves/records", save, token)).status).toBe(
    200,
  );
}

test("what one saved elsewhere is here, with its media, and goes with them", async () => {
  await saveElsewhere(FAR);
  const saved = reader.reads.watchSaved(null, 30);
  await reader.sync();
  await ready(saved, (page) => captions(page) === `Photo ${FAR}`);
  const planned = await reader.lists.plan({ kind: "saved", of: "" });
  expect(planned).toMatchObject({ success: true, value: { plan: [expect.any(Array)] } });
  const gone = `/api/collections/media/records/${idOf(FAR)}`;
  await server.api("DELETE", gone, undefined, superuser.token);
  await reader.sync();
  await ready(saved, (page) => captions(page) === "");
  expect(await rows()).toEqual([]);
});

test("what a device has not and cannot ask for is told as missing, and comes with the network", async () => {
  await reader.sync();
  network.intercept = ({ path }) => (path.startsWith("/api/collections/media") ? cut() : null);
  await saveElsewhere(FAR - 1);
  await reader.sync();
  const saved = reader.reads.watchSaved(null, 30);
  await until(saved, ({ state }) => state === "failed");
  await reader.writes.setSave(idOf(1), true);
  await ready(saved, (page) => captions(page) === "Photo 1" && page.incomplete);
  network.intercept = null;
  await sent(reader);
  await reader.sync();
  await ready(saved, (page) => captions(page) === `Photo 1,Photo ${FAR - 1}` && !page.incomplete);
});
