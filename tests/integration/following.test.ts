/** `GET /api/following/*` on a real server: whose media come, page by page, and who is suggested. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { followId } from "@/domain/ids";
import { must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let others: SignedIn[];

beforeAll(async () => {
  stage = await setStage();
  ({ ann } = stage);
  others = await Promise.all([1, 2, 3, 4, 5].map(() => signUp(stage.server)));
});
afterAll(() => stage?.server.stop());
beforeEach(async () => {
  for (const table of ["media", "follows", "blocks"]) await stage.sql(`DELETE FROM ${table}`);
});

const other = (at: number): SignedIn => others[at] as SignedIn;

const ask = (path: string, query: Record<string, string | number> = {}, who?: SignedIn) => {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const address = `/api/following/${path}?${new URLSearchParams(texts)}`;
  return stage.server.api("GET", address, undefined, who?.token);
};

/** A medium of so many hours ago; those of one hour are of the same millisecond. */
async function post(owner: SignedIn, caption: string, age: number): Promise<string> {
  const id = await stage.media(owner, { caption });
  const at = new Date(Date.UTC(2026, 0, 1) - age * 3_600_000).toISOString().replace("T", " ");
  await stage.sql(`UPDATE media SET createdAt = '${at}' WHERE id = '${id}'`);
  await stage.sql(`UPDATE _media_tags SET createdAt = '${at}' WHERE mediaId = '${id}'`);
  return id;
}

const follow = async (who: SignedIn, whom: SignedIn) =>
  must(
    await stage.create(
      "follows",
      { id: `${who.id}_${whom.id}`, followerId: who.id, followingId: whom.id },
      who,
    ),
  );

const followTag = (who: SignedIn, tag: string, more: object = {}) =>
  stage.create("follows", { followerId: who.id, tag, ...more }, who);

const tagId = (who: SignedIn, tag: string) => followId(who.id, `#${tag}`);

interface Row {
  id: string;
  caption: string;
  createdAt: string;
}

/** All pages, one after another. */
async function pages(who: SignedIn, limit: number, also = {}): Promise<Row[][]> {
  const all: Row[][] = [];
  for (let place = {}; ; ) {
    const { items, more } = must(await ask("media", { ...also, ...place, limit }, who)).body;
    all.push(items);
    const last = items.at(-1);
    if (!more || last === undefined) return all;
    place = { before: last.createdAt, beforeId: last.id };
  }
}

test("what those post whom one follows comes, newest first, and of nobody else", async () => {
  await follow(ann, other(0));
  await follow(ann, other(1));
  await post(other(0), "Old", 90);
  await post(other(1), "Middle", 20);
  await post(other(0), "New", 1);
  await post(other(2), "A stranger's", 2);
  await post(ann, "Mine", 3);
  const captions = async () =>
    must(await ask("media", {}, ann)).body.items.map(({ caption }: Row) => caption);
  expect(await captions()).toEqual(["New", "Middle", "Old"]);
  must(await stage.remove("follows", `${ann.id}_${other(1).id}`, ann));
  expect(await captions()).toEqual(["New", "Old"]);
});

test("pages follow each other without a gap or a repeat, also where times are the same", async () => {
  for (const whom of others) await follow(ann, whom);
  const ids: string[] = [];
  for (let at = 0; at < 20; at++) {
    ids.push(await post(other(at % 5), `Number ${at}`, Math.floor(at / 7)));
  }
  for (const limit of [1, 3, 19, 20, 60]) {
    const all = await pages(ann, limit);
    const rows = all.flat();
    expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const order = rows.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(order).toEqual([...order].sort().reverse());
    expect(all.slice(0, -1).every((page) => page.length === limit)).toBe(true);
  }
});

test("what has a followed tag comes among what the followed post, each once", async () => {
  await follow(ann, other(0));
  must(await followTag(ann, "Küste"));
  must(await followTag(ann, "ridge"));
  const wanted = [
    await post(other(1), "Walk on the #kuste and the #Ridge", 1),
    await post(other(0), "Of somebody followed", 2),
    await post(other(0), "Both: #RIDGE", 2),
    await post(other(2), "#KÜSTE", 3),
  ];
  await post(other(2), "#coast", 2);
  await post(ann, "My own #ridge", 2);
  for (const limit of [1, 2, 60]) {
    const rows = (await pages(ann, limit, { tags: 1 })).flat();
    expect(rows.map(({ id }) => id).sort()).toEqual([...wanted].sort());
    const order = rows.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(order).toEqual([...order].sort().reverse());
  }
  // A device of an earlier version knows of no tags, and could show none of these.
  const before = (await pages(ann, 60)).flat().map(({ caption }) => caption);
  expect(before.sort()).toEqual(["Both: #RIDGE", "Of somebody followed"]);
  must(await stage.remove("follows", tagId(ann, "kuste"), ann));
  expect((await pages(ann, 60, { tags: 1 })).flat()).toHaveLength(3);
});

test("of blocked people nothing comes by its tag, however much of it there is", async () => {
  must(await followTag(ann, "ridge"));
  for (let at = 0; at < 5; at++) await post(other(0), `#ridge ${at}`, at);
  const one = await post(other(1), "#ridge", 9);
  const block = { blockerId: ann.id, blockedId: other(0).id };
  must(await stage.create("blocks", block, ann));
  const rows = (await pages(ann, 2, { tags: 1 })).flat();
  expect(rows.map(({ id }) => id)).toEqual([one]);
});

test("a followed tag is its follower's alone, and counts as nobody", async () => {
  const since = must(await stage.server.api("GET", "/api/sync?since=head")).body.checkpoint;
  const made = must(await followTag(ann, "Küste")).body;
  expect(made).toMatchObject({ tag: "kuste", written: "Küste", followingId: "" });
  expect(made.id).toBe(tagId(ann, "kuste"));
  expect(await stage.number(`SELECT following FROM users WHERE id = '${ann.id}'`)).toBe(0);
  const changes = async (who?: SignedIn) =>
    must(await stage.server.api("GET", `/api/sync?since=${since}`, undefined, who?.token)).body
      .changes.follows;
  expect((await changes(ann)).documents).toMatchObject([{ id: made.id, tag: "kuste" }]);
  expect(await changes(other(0))).toBeUndefined();
  expect(await changes()).toBeUndefined();
  for (const who of [other(0), undefined]) {
    expect((await stage.view("follows", made.id, who)).status).toBe(404);
    expect((await stage.remove("follows", made.id, who)).status).toBe(404);
  }
  must(await stage.remove("follows", made.id, ann));
  expect((await changes(ann)).deleted).toEqual([made.id]);
});

test("a tag is followed once, under its own id, a hundred of them at most", async () => {
  const id = tagId(ann, "ridge");
  must(await followTag(ann, "Ridge", { id }));
  const codeOf = async (answer: ReturnType<typeof followTag>) => (await answer).body?.code;
  expect(await codeOf(followTag(ann, "RIDGE"))).toBe("duplicate");
  expect(await codeOf(followTag(ann, "other", { id }))).toBe("invalid");
  expect(await codeOf(followTag(ann, " "))).toBe("invalid");
  expect(await codeOf(followTag(ann, "x".repeat(51)))).toBe("tag_long");
  expect(await codeOf(followTag(ann, "x".repeat(1_000_000)))).toBeDefined();
  expect(await codeOf(followTag(ann, "mine", { followerId: other(0).id }))).toBe("forbidden");
  const both = await followTag(ann, "both", { followingId: other(1).id });
  expect(both.body).toMatchObject({ id: `${ann.id}_${other(1).id}`, tag: "" });
  await stage.sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
    INSERT INTO follows (id, followerId, tag)
    SELECT '${ann.id}_' || printf('t%014d', i), '${ann.id}', 'tag' || i FROM n`);
  expect(await codeOf(followTag(ann, "one more"))).toBe("follows_many");
  must(await followTag(other(0), "one more"));
});

test("nobody signed in and odd pages are refused", async () => {
  expect((await ask("media")).status).toBe(401);
  expect((await ask("suggested")).status).toBe(401);
  const at = "2026-01-01 00:00:00.000Z";
  for (const query of [
    { limit: "x" },
    { limit: "-1" },
    { before: at },
    { beforeId: "aaaaaaaaaaaaaaa" },
    { before: "yesterday", beforeId: "aaaaaaaaaaaaaaa" },
    { before: at, beforeId: "' OR 1=1" },
  ])
    expect([query, (await ask("media", query, ann)).status]).toEqual([query, 400]);
  expect(must(await ask("media", { limit: "9999" }, ann)).body).toEqual({ items: [], more: false });
});

test("a page has sixty at most", async () => {
  await follow(ann, other(0));
  for (let at = 0; at < 62; at++) await post(other(0), `Number ${at}`, at);
  const { items, more } = must(await ask("media", { limit: 1000 }, ann)).body;
  expect([items.length, more]).toEqual([60, true]);
});

test("suggested are first those whom the followed follow, then who posts much", async () => {
  const [friend, another, known, busy, quiet] = others as [
    SignedIn,
    SignedIn,
    SignedIn,
    SignedIn,
    SignedIn,
  ];
  const names = async () =>
    must(await ask("suggested", {}, ann)).body.items.map(({ id }: { id: string }) => id);
  expect(await names()).toEqual([]);
  await follow(ann, friend);
  await follow(ann, another);
  await follow(friend, known);
  await follow(another, known);
  await follow(friend, ann);
  await follow(friend, another);
  await post(quiet, "One", 1);
  for (const age of [2, 3]) await post(busy, `Number ${age}`, age);
  await post(ann, "Mine", 1);
  expect(await names()).toEqual([known.id, busy.id, quiet.id]);
  must(
    await stage.create(
      "blocks",
      { id: `${busy.id}_${ann.id}`, blockerId: busy.id, blockedId: ann.id },
      busy,
    ),
  );
  expect(await names()).toEqual([known.id, quiet.id]);
  must(await stage.update("users", quiet.id, { isBlocked: true }, stage.superuser));
  expect(await names()).toEqual([known.id]);
  must(await stage.update("users", quiet.id, { isBlocked: false }, stage.superuser));
});
