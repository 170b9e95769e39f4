/** What a list may be asked, and what it costs: one medium has 5,000 comments, and there are 20,000 media. */
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { cpuOf } from "@tests/support/cpu";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const MEDIA = 20_000;
const COMMENTS = 5_000;

let stage: Stage;
let popular: string;
beforeAll(async () => {
  stage = await setStage();
  popular = await stage.media(stage.ann, { caption: "Everybody comments this" });
  const numbers = (n: number) =>
    `WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${n})`;
  const run = async (query: string) => expect((await stage.sql(query)).status).toBe(200);
  await run(`${numbers(MEDIA)} INSERT INTO media (id, userId, username, caption, tags, type, createdAt, updatedAt)
    SELECT 'm' || substr('00000000000000' || i, -14), '${stage.bob.id}', 'bob', 'Picture ' || i, '[]', iif(i % 4, 'photo', 'video'),
      strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i, 'unixepoch'), '' FROM k`);
  await run(`${numbers(COMMENTS)} INSERT INTO comments (id, mediaId, userId, username, text, createdAt)
    SELECT 'c' || substr('00000000000000' || i, -14), '${popular}', '${stage.bob.id}', 'bob', 'Word ' || i,
      strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i, 'unixepoch') FROM k`);
});
afterAll(() => stage.server.stop());

const list = (collection: string, values: Record<string, string | number>, who = stage.bob) =>
  stage.list(collection, new URLSearchParams(values as Record<string, string>).toString(), who);

const manyOf = (test: string): string => Array(11).fill(test).join(" && ");
const chained = (n: number): string => "comments_via_mediaId.mediaId.".repeat(n);
/** Each made the server compute for a second to half a minute, or scan the whole table. */
const DEAR: [what: string, collection: string, values: Record<string, string>][] = [
  [
    "a filter over back-relations",
    "media",
    { filter: `${chained(2)}comments_via_mediaId.text ~ 'x'` },
  ],
  ["a sort over back-relations", "media", { sort: `${chained(2)}id` }],
  ["a random order", "media", { sort: "@random" }],
  ["an order without an index", "media", { sort: "-caption" }],
  ["an order of which only the beginning is indexed", "media", { sort: "-createdAt,caption" }],
  ["both directions in one order", "media", { sort: "-createdAt,id" }],
  ["a likeness", "media", { filter: "caption ~ 'nowhere'" }],
  ["a comparison without an index", "media", { filter: "caption = 'nowhere'" }],
  ["one beside an index", "media", { filter: "id != '' && caption = 'nowhere'" }],
  ["one hidden behind or", "media", { filter: "id = 'x' || caption = 'nowhere'" }],
  ["a range in another order", "media", { filter: "likes < 0", sort: "-createdAt" }],
  [
    "a page after a row that is none",
    "media",
    {
      filter: "(createdAt < '1' || (createdAt = '3' && id < 'a'))",
      sort: "-createdAt,-id",
    },
  ],
  ["a hundred terms", "media", { filter: Array(100).fill("caption ~ 'a'").join(" || ") }],
  ["many about one person's", "media", { filter: `userId = 'a' && ${manyOf("caption != 'b'")}` }],
  ["many about a collection of any size", "settings", { filter: manyOf("id != 'b'") }],
  ["many about an index's one value", "media", { filter: manyOf("type = 'photo'") }],
  ["many ends of an index", "media", { filter: manyOf("createdAt > '2020'") }],
  ["a function", "media", { filter: 'strftime("%Y", createdAt) = "1"' }],
  ["a list's members", "media", { filter: "tags:each ?~ 'a'" }],
  ["a relation", "comments", { filter: "mediaId.caption = 'nowhere'" }],
  ["a page far down", "media", { page: "100000", perPage: "500" }],
];

describe("is refused, at next to no cost:", () => {
  test.each(DEAR)("%s", async (_, collection, values) => {
    await list(collection, {});
    const cost = await cpuOf(stage.server.pid, async () => {
      for (let i = 0; i < 5; i += 1) {
        expect(await list(collection, values)).toMatchObject({
          status: 400,
          body: { code: "invalid" },
        });
      }
    });
    // Each scan of the table would be as much by itself.
    expect(cost).toBeLessThan(0.2);
  });
});

test("a row of thousands that point to it is not expanded backwards", async () => {
  const path = `/api/collections/media/records/${popular}?expand=comments_via_mediaId.mediaId.comments_via_mediaId`;
  const cost = await cpuOf(stage.server.pid, async () => {
    const { status, body } = await stage.server.api("GET", path, undefined, stage.bob.token);
    expect({ status, expand: body.expand }).toEqual({ status: 404, expand: undefined });
  });
  expect(cost).toBeLessThan(0.2);
  expect(
    (await list("media", { filter: `id = '${popular}'`, expand: "comments_via_mediaId" })).body
      .items[0],
  ).not.toHaveProperty("expand");
});

test("a list is answered without its totals, whether or not they were asked for", async () => {
  for (const values of [{}, { skipTotal: 1 }, { skipTotal: 0 }]) {
    const { body } = await list("media", { perPage: 1, ...values });
    expect(body).toMatchObject({ page: 1, perPage: 1, totalItems: -1, totalPages: -1 });
    expect(body.items).toHaveLength(1);
  }
  expect((await list("media", { perPage: 100_000 })).body).toMatchObject({ perPage: 500 });
});

test("what the client and the contract ask for is in the right order and costs little", async () => {
  const answers: [collection: string, values: Record<string, string | number>, ids: string[]][] = [
    [
      "media",
      { sort: "-createdAt,-id", perPage: 2, filter: "type = 'photo' && createdAt < '2025'" },
      ["m00000000019999", "m00000000019998"],
    ],
    [
      "media",
      {
        sort: "-createdAt,-id",
        perPage: 1,
        filter:
          "userId = 'BOB' && (createdAt < '2023-11-14 22:15:00.000Z' || (createdAt = '2023-11-14 22:15:00.000Z' && id < 'm00000000000100'))",
      },
      ["m00000000000099"],
    ],
    ["media", { sort: "id", perPage: 1, filter: "id > 'm00000000012000'" }, ["m00000000012001"]],
    [
      "media",
      { sort: "-likes,-views,-createdAt,-id", perPage: 1, page: 4, filter: "type = 'video'" },
      ["m00000000019988"],
    ],
    [
      "media",
      { filter: "id = 'm00000000000007' || id = 'm00000000000009'" },
      ["m00000000000007", "m00000000000009"],
    ],
    [
      "media",
      {
        filter: "userId = 'BOB' && (caption = 'Picture 77' || caption ~ 'ture 1999')",
        sort: "caption",
        perPage: 2,
      },
      ["m00000000001999", "m00000000019990"],
    ],
    [
      "comments",
      { filter: "mediaId = 'POPULAR'", sort: "-createdAt,-id", perPage: 1 },
      ["c00000000005000"],
    ],
    ["comments", { filter: "mediaId = 'POPULAR' && text = \"Word 42\"" }, ["c00000000000042"]],
  ];
  const cost = await cpuOf(stage.server.pid, async () => {
    for (const [collection, { filter = "", ...values }, ids] of answers) {
      const named = String(filter).replace("BOB", stage.bob.id).replace("POPULAR", popular);
      const { body } = await list(collection, { ...values, filter: named });
      expect(body.items?.map(({ id }: { id: string }) => id)).toEqual(ids);
    }
  });
  expect(cost).toBeLessThan(1);
});

test("fields are picked from the rows of a list", async () => {
  const values = { filter: `id = '${popular}'`, fields: "id,caption:excerpt(9,true)" };
  expect((await list("media", values)).body).toEqual({
    page: 1,
    perPage: 30,
    totalItems: -1,
    totalPages: -1,
    items: [{ id: popular, caption: "Everybody..." }],
  });
});

test("a name is found in whatever case, and by exactly this one where that is asked", async () => {
  const { username } = stage.ann.record as { username: string };
  const found = async (filter: string) => (await list("profiles", { filter })).body.items.length;
  expect(await found(`username:lower = '${username.toLowerCase()}'`)).toBe(1);
  expect(await found(`username = '${username}'`)).toBe(1);
  expect(await found(`username = '${username.toUpperCase()}'`)).toBe(0);
});

test("superusers keep all, under the collection's name as under its id", async () => {
  const values = {
    filter: "comments_via_mediaId.text ?~ 'Word 4999'",
    expand: "userId",
    sort: "-caption",
  };
  const { status, body } = must(await list("media", values, stage.superuser));
  expect({ status, total: body.totalItems, id: body.items[0].id }).toEqual({
    status: 200,
    total: 1,
    id: popular,
  });
});

test("the list under a collection's id is closed to everybody else, of every collection", async () => {
  const all = "/api/collections?perPage=500";
  const { body } = must(await stage.server.api("GET", all, undefined, stage.superuser.token));
  const ours = (body.items as { id: string; name: string; system: boolean }[]).filter(
    ({ system }) => !system,
  );
  expect(ours.length).toBeGreaterThan(10);
  for (const { id, name } of ours) {
    for (const who of [undefined, stage.bob, stage.admin]) {
      const path = `/api/collections/${id}/records`;
      const { status } = await stage.server.api("GET", path, undefined, who?.token);
      expect([name, status]).toEqual([name, 403]);
    }
  }
});
