/** `GET /api/tags/{tag}/media` on a real server: which media have a tag, in which order, page by page. */
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
  for (const table of ["media", "blocks", "_untagged"]) await stage.sql(`DELETE FROM ${table}`);
});

const ask = (tag: string, query: Record<string, string | number> = {}, token?: string) => {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const address = `/api/tags/${encodeURIComponent(tag)}/media?${new URLSearchParams(texts)}`;
  return stage.server.api("GET", address, undefined, token);
};
const captions = async (tag: string, query = {}, token?: string): Promise<string[]> =>
  must(await ask(tag, query, token)).body.items.map(({ caption }: { caption: string }) => caption);

/** All pages, one after another, without the page's length beside. */
async function pages(tag: string, query: Record<string, string | number>): Promise<string[][]> {
  const all: string[][] = [];
  for (let place = {}; ; ) {
    const { items, more, next } = must(await ask(tag, { ...query, ...place })).body;
    all.push(items.map(({ id }: { id: string }) => id));
    if (!more) return all;
    place = next;
  }
}

test("a medium has the tags of its list and of its caption, whatever their case and accents", async () => {
  await stage.media(ann, { caption: "One", tags: ["Küste", "black and white"] });
  await stage.media(bob, { caption: "Two at the #KÜSTE", tags: ["kuste"] });
  await stage.media(bob, { caption: "Three, not https://a.example/#kuste", tags: ["kustenweg"] });
  for (const tag of ["küste", "Kuste", "KÜSTE"])
    expect((await captions(tag)).sort()).toEqual(["One", "Two at the #KÜSTE"]);
  expect(await captions("Black and White")).toEqual(["One"]);
  expect(await captions("nothing")).toEqual([]);
});

test("what its owner edits, an admin deletes or an account takes along has the tag no longer", async () => {
  const id = await stage.media(ann, { caption: "#One", tags: ["two"] });
  must(await stage.update("media", id, { caption: "#Three" }, ann));
  expect([await captions("one"), await captions("two"), await captions("three")]).toEqual([
    [],
    ["#Three"],
    ["#Three"],
  ]);
  must(await stage.update("media", id, { tags: [] }, ann));
  expect(await captions("two")).toEqual([]);
  must(await stage.remove("media", id, stage.admin));
  expect(await stage.number("SELECT count(*) FROM _media_tags")).toBe(0);
});

test("the newest come page by page, without a gap or a repeat, also where times are the same", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 7; at += 1) ids.push(await stage.media(ann, { tags: ["sea"] }));
  await stage.sql("UPDATE _media_tags SET createdAt = '2026-01-01 00:00:00.000Z'");
  const all = await pages("sea", { limit: 3 });
  expect(all.map((page) => page.length)).toEqual([3, 3, 1]);
  expect(all.flat()).toEqual([...ids].sort().reverse());
});

test("the most liked come first where they are asked for, and each once", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await stage.media(ann, { tags: ["sea"] }));
  const [, second = "", , fourth = ""] = ids;
  for (const [mediaId, people] of [
    [fourth, [bob, eve]],
    [second, [bob]],
  ] as const)
    for (const who of people)
      must(
        await stage.create("likes", { id: pairId(mediaId, who.id), mediaId, userId: who.id }, who),
      );
  const all = await pages("sea", { sort: "popular", limit: 2 });
  expect(all.flat().slice(0, 2)).toEqual([fourth, second]);
  expect(all.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(all.flat().sort()).toEqual([...ids].sort());
});

test("whoever has blocked somebody sees nothing of him, in either order", async () => {
  await stage.media(bob, { caption: "His", tags: ["sea"] });
  await stage.media(eve, { caption: "Hers", tags: ["sea"] });
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: bob.id }, ann));
  for (const sort of ["newest", "popular"]) {
    expect(await captions("sea", { sort }, ann.token)).toEqual(["Hers"]);
    expect((await captions("sea", { sort })).sort()).toEqual(["Hers", "His"]);
  }
});

test.each([
  { limit: "x" },
  { skip: "-1" },
  { skip: "10000" },
  { sort: "random" },
  { before: "2026-01-01 00:00:00.000Z" },
  { before: "yesterday", beforeId: "a".repeat(15) },
])("%o is no page", async (query) => {
  expect(await ask("sea", query)).toMatchObject({ status: 400 });
});

test("sixty come at most, a long tag is nobody's, and a bad token is told", async () => {
  for (let at = 0; at < 62; at += 1) await stage.media(ann, { tags: ["sea"] });
  expect(await captions("sea", { limit: 500 })).toHaveLength(60);
  expect(await captions("a".repeat(4_000))).toEqual([]);
  expect((await ask("sea", {}, "no.good.token")).status).toBe(401);
});

test("of a thousand tags in a caption thirty count", async () => {
  const caption = Array.from({ length: 300 }, (_, i) => `#tag${i}`).join(" ");
  const id = await stage.media(ann, { caption: caption.slice(0, 2_000), tags: ["one"] });
  const count = `SELECT count(*) FROM _media_tags WHERE mediaId = '${id}'`;
  expect(await stage.number(count)).toBe(31);
});

test("media from before are tagged in steps, and what has gone meanwhile is passed over", async () => {
  for (let at = 0; at < 4; at += 1) await stage.media(ann, { caption: `#Old ${at}`, tags: ["x"] });
  await stage.sql("INSERT INTO _untagged SELECT id FROM media");
  await stage.sql("INSERT INTO _untagged VALUES ('gone00000000000')");
  await stage.sql("DELETE FROM _media_tags");
  expect(await captions("old")).toEqual([]);
  must(await stage.server.api("POST", "/api/crons/tagOldMedia", undefined, stage.superuser.token));
  await expect.poll(() => captions("old")).toHaveLength(4);
  await expect.poll(() => stage.number("SELECT count(*) FROM _untagged")).toBe(0);
});
