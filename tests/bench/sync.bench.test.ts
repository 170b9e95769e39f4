/**
 * The change feed against PocketBase's own list and record routes, on one server with seeded rows: how fast it
 * delivers, and what it costs to hear that nothing is new.
 */
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROUNDS = 5;
const LIMIT = 500;
const SIZES = [20_000, 200_000];
/** One statement is one transaction, and the console gives it three minutes. */
const SEED_CHUNK = 50_000;

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let seeded = 0;

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  ann = await signUp(server);
});
afterAll(() => server?.stop());

async function seedTo(size: number): Promise<void> {
  while (seeded < size) {
    const next = Math.min(seeded + SEED_CHUNK, size);
    await sql(
      server,
      superuser.token,
      `INSERT INTO media (id, userId, username, caption, tags, type, file, thumbnail, preview, width, height,
         thumbhash, originalFilename, fileSize, contentType, createdAt, updatedAt, seq)
       WITH RECURSIVE n(i) AS (SELECT ${seeded + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${next})
       SELECT printf('seed%011d', i), '${ann.id}', '', 'A caption of moderate length for picture ' || i,
         '["lake","summer"]', 'photo', 'p' || i || '.jpg', 't' || i || '.jpg', 'v' || i || '.jpg', 4032, 3024,
         '3OcRJYB4d3h/iIeHeEh3eIhw+j2w', 'IMG_' || i || '.jpg', 2500000, 'image/jpeg',
         '2026-01-01 00:00:00.000Z', '2026-01-01 00:00:00.000Z', 0 FROM n`,
    );
    seeded = next;
  }
}

async function getJson(where: string) {
  const answer = await fetch(server.url + where, { headers: { authorization: ann.token } });
  if (!answer.ok) throw new Error(`${where}: ${answer.status}`);
  return answer.json();
}

/**
 * Milliseconds of the fastest of `ROUNDS` runs of each: the one that the machine disturbed least. They take turns, so
 * that a busy minute meets both.
 */
async function fastest(...runs: (() => Promise<void>)[]): Promise<number[]> {
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, run] of runs.entries()) {
      const start = performance.now();
      await run();
      best[i] = Math.min(best[i] ?? 0, performance.now() - start);
    }
  }
  return best;
}

async function readByFeed(rows: number): Promise<void> {
  let since = 0;
  let got = 0;
  while (got < rows) {
    const page = await getJson(`/api/sync?since=${since}&limit=${LIMIT}`);
    got += page.changes.media?.documents.length ?? 0;
    since = page.checkpoint;
  }
}

async function readByList(rows: number): Promise<void> {
  let last = 0;
  let got = 0;
  while (got < rows) {
    const filter = encodeURIComponent(`seq > ${last}`);
    const page = await getJson(
      `/api/collections/media/records?perPage=${LIMIT}&skipTotal=1&sort=seq&filter=${filter}`,
    );
    got += page.items.length;
    last = page.items.at(-1).seq;
  }
}

const REQUESTS = 200;
const RECORD = "/api/collections/media/records/seed00000000001";

const many = (where: string) => async (): Promise<void> => {
  for (let i = 0; i < REQUESTS; i++) await getJson(where);
};

/** What a request costs in reads of one record by its primary key. */
async function inReads(what: string, where: string): Promise<number> {
  const [nothing = 0, read = 1] = await fastest(many(where), many(RECORD));
  const ms = (all: number): string => `${(all / REQUESTS).toFixed(2)} ms`;
  const ratio = nothing / read;
  print(`${what}: ${ms(nothing)}, record ${ms(read)}, ratio ${ratio.toFixed(2)} (<= 3)`);
  return ratio;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

test("the feed delivers rows at least 0.9 times as fast as the list API", async () => {
  const rows = 20_000;
  await seedTo(rows);
  const [feed = 0, list = 0] = await fastest(
    () => readByFeed(rows),
    () => readByList(rows),
  );
  const speed = list / feed;
  const rate = (ms: number): string => `${Math.round(rows / ms)}k rows/s`;
  print(`feed ${rate(feed)}, list ${rate(list)}, ratio ${speed.toFixed(2)} (>= 0.9)`);
  expect(speed).toBeGreaterThanOrEqual(0.9);
});

test("hearing that nothing is new costs at most three reads by primary key, at any size", async () => {
  for (const size of SIZES) {
    await seedTo(size);
    const { checkpoint, epoch } = await getJson("/api/sync?since=head");
    const where = `/api/sync?since=${checkpoint}&epoch=${epoch}`;
    expect(await inReads(`${seeded} rows, nothing new`, where)).toBeLessThanOrEqual(3);
  }
});

test("nothing new for me costs as little when others changed private things meanwhile", async () => {
  const [bob, eve] = [await signUp(server), await signUp(server)];
  const { checkpoint } = await getJson("/api/sync?since=head");
  const block = `'${bob.id}_${eve.id}', '${bob.id}', '${eve.id}', '2026-01-01 00:00:00.000Z', 0`;
  for (let i = 0; i < 200; i++) {
    await sql(
      server,
      superuser.token,
      `INSERT INTO blocks (id, blockerId, blockedId, createdAt, seq) VALUES (${block})`,
    );
    await sql(server, superuser.token, `DELETE FROM blocks WHERE blockerId = '${bob.id}'`);
  }
  const page = await getJson(`/api/sync?since=${checkpoint}`);
  expect([page.checkpoint > checkpoint, page.changes]).toEqual([true, {}]);
  const where = `/api/sync?since=${checkpoint}`;
  expect(await inReads("others' private changes", where)).toBeLessThanOrEqual(3);
});
