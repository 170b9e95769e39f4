/** What one has saved, and its folders: one's own, in one's own feed, and nobody else's business. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId, pairId } from "@/domain/ids";
import { FOLDERS_MAX, SAVES_MAX } from "@/domain/limits";
import { codeOf, must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
/** Ann's. */
let mediaId: string;

beforeAll(async () => {
  stage = await setStage();
  ({ ann } = stage);
});
beforeEach(async () => {
  mediaId = await stage.media(ann);
  bob = await signUp(stage.server);
});
afterAll(() => stage.server.stop());

const save = (who: SignedIn, fields: object = {}, id = mediaId) =>
  stage.create("saves", { userId: who.id, mediaId: id, ...fields }, who);
const addFolder = (who: SignedIn, name: string, folderId = newId(Math.random)) =>
  stage.create("saves", { id: pairId(who.id, folderId), userId: who.id, name }, who);
const savesSince = async (since: number, who?: SignedIn) =>
  (await stage.server.api("GET", `/api/sync?since=${since}`, undefined, who?.token)).body.changes
    .saves;

test("a save stands once, is in its owner's feed alone, and goes for good", async () => {
  const since = await stage.head();
  const saved = must(await save(bob)).body;
  expect(saved).toMatchObject({ id: pairId(bob.id, mediaId), mediaId, folderId: "", name: "" });
  expect(await codeOf(save(bob))).toBe("400 duplicate");
  expect((await savesSince(since, bob)).documents).toEqual([
    expect.objectContaining({ id: saved.id, mediaId }),
  ]);
  expect(await savesSince(since, ann)).toBeUndefined();
  expect(await savesSince(since)).toBeUndefined();
  for (const who of [ann, stage.admin, undefined]) {
    expect((await stage.view("saves", saved.id, who)).status).toBe(404);
    expect((await stage.update("saves", saved.id, { folderId: "" }, who)).status).toBe(404);
    expect((await stage.remove("saves", saved.id, who)).status).toBe(404);
  }
  must(await stage.remove("saves", saved.id, bob));
  expect((await savesSince(since, bob)).deleted).toEqual([saved.id]);
  expect(await savesSince(since, ann)).toBeUndefined();
  must(await save(bob));
});

test("folders have names of their owner's, and a save lies in one of them or in none", async () => {
  const folderId = newId(Math.random);
  const folder = must(await addFolder(bob, "  Inseln ", folderId)).body;
  expect(folder).toMatchObject({ name: "Inseln", mediaId: "", folderId: "" });
  const { id } = must(await save(bob, { folderId })).body;
  expect(await stage.row("saves", id)).toMatchObject({ folderId });
  const since = await stage.head();
  must(await stage.update("saves", folder.id, { name: "Nordsee", mediaId, folderId }, bob));
  expect(await stage.row("saves", folder.id)).toMatchObject({
    name: "Nordsee",
    mediaId: "",
    folderId: "",
  });
  must(await stage.update("saves", id, { folderId: "", name: "x", mediaId: "" }, bob));
  expect(await stage.row("saves", id)).toMatchObject({ folderId: "", name: "", mediaId });
  const changed = (await savesSince(since, bob)).documents.map((row: { id: string }) => row.id);
  expect(changed.sort()).toEqual([folder.id, id].sort());
  must(await stage.update("saves", id, { folderId }, bob));
  must(await stage.remove("saves", folder.id, bob));
  expect(await stage.row("saves", id)).toMatchObject({ mediaId });
});

test("what is no save, no folder, or somebody else's is refused", async () => {
  const gone = await stage.media(ann);
  must(await stage.remove("media", gone, ann));
  expect(await codeOf(save(bob, {}, gone))).toBe("404 gone");
  expect(await codeOf(save(bob, {}, newId(Math.random)))).toBe("404 gone");
  expect(await codeOf(save(bob, { userId: ann.id }))).toBe("403 forbidden");
  expect(await codeOf(save(bob, { id: pairId(mediaId, bob.id) }))).toBe("400 invalid");
  for (const folderId of ["x", "../media", "x".repeat(1_000_000)])
    expect((await save(bob, { folderId })).status).toBe(400);
  expect((await stage.create("saves", { userId: bob.id, mediaId })).status).toBe(400);
  const folder = { userId: bob.id, name: "Meer" };
  for (const id of ["", pairId(ann.id, newId(Math.random)), newId(Math.random), "_", `${bob.id}_x`])
    expect((await stage.create("saves", { ...folder, id }, bob)).status).toBe(400);
  expect(await codeOf(addFolder(bob, " \u200b "))).toBe("400 text_empty");
  expect(await codeOf(addFolder(bob, "x".repeat(51)))).toBe("400 text_long");
  const { id } = must(await addFolder(bob, "x".repeat(50))).body;
  expect((await stage.update("saves", id, { name: "" }, bob)).body.code).toBe("text_empty");
  expect(await stage.row("saves", id)).toMatchObject({ name: "x".repeat(50) });
  expect(await stage.number(`SELECT count(*) FROM saves WHERE userId = '${bob.id}'`)).toBe(1);
});

test("nobody saves more than there is room for, and what is there stays", async () => {
  const fill = (rows: number, columns: string) =>
    stage.sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO saves (id, userId, mediaId, folderId, name, createdAt, seq)
      SELECT '${bob.id}_' || printf('%015d', i), '${bob.id}', ${columns}, '', 0 FROM n`);
  await fill(FOLDERS_MAX - 1, "'', '', 'F'");
  must(await addFolder(bob, "Last"));
  expect(await codeOf(addFolder(bob, "More"))).toBe("400 folders_many");
  must(await save(bob));
  await stage.sql(`DELETE FROM saves WHERE userId = '${bob.id}'`);
  await fill(SAVES_MAX - 1, "printf('%015d', i), '', ''");
  must(await save(bob));
  expect(await codeOf(save(bob, {}, await stage.media(ann)))).toBe("400 saves_many");
  must(await stage.remove("saves", pairId(bob.id, mediaId), bob));
  must(await save(bob));
});

test("a save goes with its medium, and all of them with who made them", async () => {
  const since = await stage.head();
  const { id } = must(await save(bob)).body;
  must(await save(ann));
  must(await addFolder(bob, "Leer"));
  must(await stage.remove("media", mediaId, ann));
  expect((await savesSince(since, bob)).deleted).toEqual([id]);
  expect(await stage.number(`SELECT count(*) FROM saves WHERE mediaId = '${mediaId}'`)).toBe(0);
  const leaving = { password: bob.password };
  must(await stage.server.api("POST", "/api/account/delete", leaving, bob.token));
  expect(await stage.number(`SELECT count(*) FROM saves WHERE userId = '${bob.id}'`)).toBe(0);
});

test("a block stands in the way of no save, because nobody learns of it", async () => {
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: bob.id }, ann));
  must(await save(bob));
  const told = must(await stage.list("notifications", "perPage=500", ann)).body.items;
  expect(JSON.stringify(told)).not.toContain(bob.id);
});
