/** `GET /api/explore` on a real server: what is counted, by whom, and what it costs at most. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pairId } from "@/domain/ids";
import { must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;

beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
  eve = await signUp(stage.server);
});
afterAll(() => stage?.server.stop());
beforeEach(async () => {
  for (const table of ["media", "blocks", "likes"]) await stage.sql(`DELETE FROM ${table}`);
  await stage.server.restart();
});

interface Answer {
  tags: { tag: string; people: number; media: number }[];
  people: { id: string; username: string; email?: string }[];
}

const explore = async (who?: SignedIn): Promise<Answer> =>
  must(await stage.server.api("GET", "/api/explore", undefined, who?.token)).body;
const people = async (who?: SignedIn) => (await explore(who)).people.map(({ id }) => id);

const like = async (mediaId: string, who: SignedIn) =>
  must(await stage.create("likes", { id: pairId(mediaId, who.id), mediaId, userId: who.id }, who));

test("tags are counted by people, and written as in their newest medium", async () => {
  await stage.media(ann, { caption: "#kuste", tags: [] });
  for (let i = 0; i < 5; i += 1) await stage.media(ann, { tags: ["mine"] });
  await stage.media(bob, { caption: "At the #Küste", tags: [] });
  const { tags } = await explore();
  expect(tags).toEqual([
    { tag: "Küste", people: 2, media: 2 },
    { tag: "mine", people: 1, media: 5 },
  ]);
});

test("people come by how many others like what they post, and not by their own likes", async () => {
  const anns = [await stage.media(ann), await stage.media(ann), await stage.media(ann)];
  const bobs = await stage.media(bob);
  for (const id of anns) await like(id, eve);
  await like(bobs, ann);
  await like(bobs, eve);
  const eves = await stage.media(eve);
  await like(eves, eve);
  expect(await people()).toEqual([bob.id, ann.id]);
  expect(JSON.stringify(await explore(eve))).not.toContain("@");
});

test("what is older than a week counts no more, nor what a suspended account did", async () => {
  const old = await stage.media(ann, { tags: ["old"] });
  await like(old, bob);
  const late = "2020-01-01 00:00:00.000Z";
  await stage.sql(`UPDATE media SET createdAt = '${late}'`);
  await stage.sql(`UPDATE likes SET createdAt = '${late}'`);
  const mallory = await signUp(stage.server);
  const theirs = await stage.media(mallory, { tags: ["theirs"] });
  await like(theirs, bob);
  must(await stage.update("users", mallory.id, { isBlocked: true }, stage.superuser));
  expect(await explore()).toEqual({ tags: [], people: [] });
});

test("nobody is shown whom he has blocked or who has blocked him", async () => {
  const id = await stage.media(ann);
  await like(id, bob);
  const block = { id: pairId(ann.id, eve.id), blockerId: ann.id, blockedId: eve.id };
  must(await stage.create("blocks", block, ann));
  expect(await people()).toEqual([ann.id]);
  expect(await people(bob)).toEqual([ann.id]);
  expect(await people(eve)).toEqual([]);
  const dead = await stage.server.api("GET", "/api/explore", undefined, "dead");
  expect([dead.status, dead.body.code]).toEqual([401, "unauthenticated"]);
});

test("what was counted is kept for some minutes", async () => {
  await stage.media(ann, { tags: ["first"] });
  expect((await explore()).tags.map(({ tag }) => tag)).toEqual(["first"]);
  await stage.media(ann, { tags: ["second"] });
  expect((await explore(bob)).tags.map(({ tag }) => tag)).toEqual(["first"]);
});

/** So many media of `owner`'s, all with the tag "loud", and all liked by `fan`. */
async function fill(owner: SignedIn, fan: SignedIn, count: number): Promise<void> {
  const now = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";
  const n = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  for (const run of [
    `${n} INSERT INTO media (id, userId, type, file, createdAt, updatedAt)
      SELECT printf('loud%011d', i), '${owner.id}', 'image', 'x.jpg', ${now}, ${now} FROM n`,
    `INSERT INTO _media_tags SELECT 'loud', createdAt, id, userId, 'loud' FROM media
      WHERE id LIKE 'loud%'`,
    `INSERT INTO likes (id, mediaId, userId, createdAt)
      SELECT id || '_${fan.id}', id, '${fan.id}', ${now} FROM media WHERE id LIKE 'loud%'`,
  ])
    expect((await stage.sql(run)).status).toBe(200);
}

test("of each person the newest are counted, so that nobody crowds the others out", async () => {
  await like(await stage.media(ann, { tags: ["quiet"] }), eve);
  await fill(bob, stage.admin, 6000);
  const { tags, people: found } = await explore();
  expect(tags).toEqual([
    { tag: "loud", people: 1, media: 30 },
    { tag: "quiet", people: 1, media: 1 },
  ]);
  expect(found.map(({ id }) => id).sort()).toEqual([ann.id, bob.id].sort());
});

test("of any number of people a bounded number is counted", async () => {
  const n = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)`;
  const now = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";
  for (const run of [
    `${n} INSERT INTO users (id, username, email, tokenKey, password, createdAt, updatedAt)
      SELECT printf('crowd%010d', i), 'crowd' || i, 'crowd' || i || '@example.com', 'crowd' || i,
        'x', ${now}, ${now} FROM n`,
    `${n} INSERT INTO media (id, userId, type, file, createdAt, updatedAt)
      SELECT printf('crowd%010d', i), printf('crowd%010d', i), 'photo', 'x.jpg', ${now}, ${now} FROM n`,
    `${n} INSERT INTO _media_tags SELECT 'tag' || i, m.createdAt, m.id, m.userId, 'Tag' || i
      FROM n CROSS JOIN media m WHERE i <= 30`,
  ])
    expect((await stage.sql(run)).status).toBe(200);
  const { tags } = await explore();
  // 400 people with 30 tags are 12,000.
  const counted = tags.map((tag) => tag.people);
  expect(counted).toHaveLength(24);
  expect(Math.max(...counted)).toBeLessThan(340);
  expect(Math.min(...counted)).toBeGreaterThan(330);
});
