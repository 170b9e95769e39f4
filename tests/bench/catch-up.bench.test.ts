/**
 * A device that was away for a month: how many requests it needs for 5,000 changes, and how long it takes against
 * writing the same rows into RxDB directly.
 */
import { createDevice } from "@tests/integration/client/device";
import { until } from "@tests/integration/client/live";
import { createNetwork, cut } from "@tests/integration/client/network";
import { signUp } from "@tests/integration/client/people";
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReplica, type Replica } from "@/data/replica/open-replica";
import { commentRow } from "@/data/schema/comments";
import type { RawRecord } from "@/data/schema/define-schema";
import { mediaRow } from "@/data/schema/media";

const MEDIA = 3000;
const COMMENTS = 2000;
const ROUNDS = 3;
const REQUESTS_MOST = 20;
const TIME_MOST = 1.5;

let server: PocketBase;
let superuser: string;
beforeAll(async () => {
  server = await startPocketBase();
  superuser = (await createSuperuser(server)).token;
});
afterAll(() => server?.stop());

const numbers = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** `word` makes the ids of a round its own. */
async function addChanges(userId: string, word: string): Promise<void> {
  const at = "'2026-01-01 00:00:00.000Z'";
  await sql(
    server,
    superuser,
    `INSERT INTO media (id, userId, username, caption, tags, type, file, thumbnail, preview, width, height,
       thumbhash, originalFilename, fileSize, contentType, createdAt, updatedAt, seq)
     ${numbers(MEDIA)} SELECT printf('${word}%011d', i), '${userId}', 'ann', 'A caption of moderate length, number ' || i,
       '["lake","summer"]', 'photo', 'p' || i || '.jpg', 't' || i || '.jpg', 'v' || i || '.jpg', 4032, 3024,
       '3OcRJYB4d3h/iIeHeEh3eIhw+j2w', 'IMG_' || i || '.jpg', 2500000, 'image/jpeg', ${at}, ${at}, 0 FROM n`,
  );
  await sql(
    server,
    superuser,
    `INSERT INTO comments (id, mediaId, userId, username, text, createdAt, updatedAt, seq)
     ${numbers(COMMENTS)} SELECT printf('${word}%011d', i), printf('${word}%011d', 1 + i % ${MEDIA}), '${userId}', 'ann',
       'A comment of moderate length, number ' || i, ${at}, ${at}, 0 FROM n`,
  );
}

/** What the server has of a round. */
async function recordsOf(collection: string, word: string, count: number): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  while (records.length < count) {
    const after = String(records.at(-1)?.["id"] ?? word);
    const filter = encodeURIComponent(`id > "${after}" && id ~ "${word}%"`);
    const path = `/api/collections/${collection}/records?perPage=1000&sort=id&filter=${filter}`;
    records.push(...(await server.api("GET", path, undefined, superuser)).body.items);
  }
  return records;
}

async function writeDirectly(replica: Replica, word: string): Promise<number> {
  const media = (await recordsOf("media", word, MEDIA)).flatMap((record) => mediaRow(record) ?? []);
  const comments = (await recordsOf("comments", word, COMMENTS)).flatMap(
    (record) => commentRow(record) ?? [],
  );
  const start = performance.now();
  await replica.media.bulkUpsert(media);
  await replica.comments.bulkUpsert(comments);
  return performance.now() - start;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test("5,000 changes come in few requests, and hardly slower than the disk takes them", async () => {
  const ratios: number[] = [];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const word = `rnd${round}`;
    const network = createNetwork();
    const device = createDevice(server.url, { fetch: network.fetch });
    let client = device.start();
    const me = await signUp(client);
    await client.sync();
    await client.close();
    await addChanges(me.id, word);

    // What opening the databases takes is no part of it.
    network.intercept = cut;
    client = device.start();
    await until(client.connection, (connection) => connection === "offline");
    network.intercept = null;
    const from = network.seen.length;
    const start = performance.now();
    const caughtUp = await client.sync();
    const took = performance.now() - start;
    expect(caughtUp).toMatchObject({ success: true });
    requests = Math.max(
      requests,
      network.seen.slice(from).filter(({ path }) => path.startsWith("/api/sync")).length,
    );
    await client.close();

    const storage = { ...device.storage, indexedDB: new IDBFactory(), IDBKeyRange };
    const replica = await openReplica(storage, me.id, false);
    const direct = await writeDirectly(replica, word);
    await replica.database.close();
    ratios.push(took / direct);
    process.stdout.write(`pull ${took.toFixed(0)} ms, rows directly ${direct.toFixed(0)} ms\n`);
  }
  const ratio = median(ratios);
  process.stdout.write(
    `catching up with ${MEDIA + COMMENTS} changes: ${requests} requests (<= ${REQUESTS_MOST}), against writing the rows ` +
      `directly: ratio ${ratio.toFixed(2)} (<= ${TIME_MOST})\n`,
  );
  expect(requests).toBeLessThanOrEqual(REQUESTS_MOST);
  expect(ratio).toBeLessThanOrEqual(TIME_MOST);
});
