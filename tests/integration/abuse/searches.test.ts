/** What a search may cost where people have written captions to make it dear. */
import { type Stage, setStage } from "@tests/integration/rules/stage";
import { cpuOf } from "@tests/support/cpu";
import { afterAll, beforeAll, expect, test } from "vitest";

const MEDIA = 3_000;
const WORD = "a".repeat(40);
/** All trigrams of the word stand in it some thousand times, and it does not. */
const NEARLY = `${"a".repeat(39)}b`.repeat(55);
let stage: Stage;
let found: string;

beforeAll(async () => {
  stage = await setStage();
  const { status } =
    await stage.sql(`WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${MEDIA})
    INSERT INTO media (id, userId, username, caption, tags, type, createdAt, updatedAt)
    SELECT 'm' || substr('00000000000000' || i, -14), '${stage.bob.id}', 'bob', '${NEARLY}', '[]', 'photo',
      strftime('%Y-%m-%d %H:%M:%S.000Z', 1700000000 + i, 'unixepoch'), '' FROM k`);
  expect(status).toBe(200);
  // Of all the oldest, so that it is the last to be looked at.
  found = await stage.media(stage.ann, { caption: WORD, createdAt: "2001-01-01 00:00:00.000Z" });
});
afterAll(() => stage.server.stop());

const search = (before = "") =>
  stage.server.api("GET", `/api/search?q=${WORD}${before === "" ? "" : `&before=${before}`}`);

test("a word whose parts stand everywhere is looked for a piece at a time, and found at last", async () => {
  const cost = await cpuOf(stage.server.pid, async () => {
    expect((await search()).body).toMatchObject({ media: [], more: true });
  });
  // All at once it was two seconds.
  expect(cost).toBeLessThan(0.5);
  const ids: string[] = [];
  let pages = 0;
  for (let next = ""; ; pages += 1) {
    const { body } = await search(next);
    ids.push(...body.media.map(({ id }: { id: string }) => id));
    if (!body.more) break;
    expect(body.next).not.toBe(next);
    next = body.next;
  }
  expect(ids).toEqual([found]);
  expect(pages).toBeGreaterThan(5);
  expect(pages).toBeLessThan(MEDIA / 100);
});

test("a medium whose tags a superuser has emptied is found by its caption", async () => {
  const id = await stage.media(stage.ann, { caption: "Lighthouse" });
  expect((await stage.sql(`UPDATE media SET tags = 'null' WHERE id = '${id}'`)).status).toBe(200);
  const { status, body } = await stage.server.api("GET", "/api/search?q=lighthouse");
  expect([status, body.media.map((row: { id: string }) => row.id)]).toEqual([200, [id]]);
});

test("where the word itself stands everywhere a page is full", async () => {
  const { status, body } = await stage.server.api(
    "GET",
    `/api/search?q=${"a".repeat(39)}&limit=120`,
  );
  expect(status).toBe(200);
  expect(body.media).toHaveLength(120);
  expect(body.more).toBe(true);
});
