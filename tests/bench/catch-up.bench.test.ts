/**
 * A device that was away for a month: how many requests it needs for 5,000 changes, and how long it takes against
 * writing the same rows into RxDB directly. Both in a real browser, wired as the app wires them.
 */
import { rm } from "node:fs/promises";
import { newPerson } from "@tests/integration/client/people";
import { openLastingProfile, type Profile } from "@tests/support/browser";
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { buildTestPage } from "@tests/support/test-page";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const MEDIA = 3000;
const COMMENTS = 2000;
const ROUNDS = 5;
const REQUESTS_MOST = 20;
const TIME_MOST = 1.5;

const SOURCE = `
import { browserClient } from "@/data/browser-client";
import { openReplica } from "@/data/engine/store";
import { NOUNS } from "@/data/nouns";

const send = window.fetch;
let cut = false;
let asked = [];
window.fetch = (input, init) => {
  if (cut) return Promise.reject(new TypeError("cut"));
  asked.push(String(input));
  return send(input, init);
};
const offline = (client) => new Promise((resolve) => {
  const look = () => {
    if (client.connection.getSnapshot() !== "offline") return;
    resolve();
    stop();
  };
  const stop = client.connection.subscribe(look);
  queueMicrotask(look);
});
const recordsOf = async (collection, word) => {
  const records = [];
  for (let page = 1; ; page++) {
    const filter = encodeURIComponent("id ~ '" + word + "%'");
    const path = "/api/collections/" + collection + "/records?perPage=1000&sort=id&filter=" + filter + "&page=" + page;
    const { items } = await (await fetch(path)).json();
    records.push(...items);
    if (items.length < 1000) return records;
  }
};
Object.assign(window, {
  signUp: async (person) => {
    const client = await browserClient();
    const signedUp = await client.auth.signUp(person);
    if (!signedUp.success) throw new Error(signedUp.error);
    await client.sync();
    await client.close();
    return signedUp.value.id;
  },
  // What opening the databases takes is no part of it.
  openOffline: async () => {
    cut = true;
    const client = await browserClient();
    await offline(client);
    cut = false;
  },
  catchUp: async () => {
    const client = await browserClient();
    asked = [];
    const start = performance.now();
    const caughtUp = await client.sync();
    const took = performance.now() - start;
    if (!caughtUp.success) throw new Error(caughtUp.error);
    return { took, requests: asked.filter((url) => url.includes("/api/sync")).length };
  },
  // All are new there, so the cheapest call does; the rows lie ready, and each collection's go in at once.
  writeDirectly: async (userId, word) => {
    const replica = await openReplica(NOUNS, { indexedDB, IDBKeyRange, name: "direct" }, userId, true);
    const media = (await recordsOf("media", word)).map(NOUNS.collection("media").read);
    const comments = (await recordsOf("comments", word)).map(NOUNS.collection("comments").read);
    const start = performance.now();
    await replica.media.bulkInsert(media);
    await replica.comments.bulkInsert(comments);
    return { took: performance.now() - start, rows: media.length + comments.length };
  },
  countRows: async (userId) => {
    const replica = await openReplica(NOUNS, { indexedDB, IDBKeyRange, name: "augenblick" }, userId, true);
    return (await replica.media.count().exec()) + (await replica.comments.count().exec());
  },
});
document.title = "ready";
`;

let server: PocketBase;
let superuser: string;
let profile: Profile;
let folder: string;
beforeAll(async () => {
  const built = await buildTestPage(SOURCE);
  folder = built.folder;
  server = await startPocketBase({ publicDir: built.outDir });
  superuser = (await createSuperuser(server)).token;
});
afterAll(async () => {
  await profile?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

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

/** Every page is a new one, so that none finds another's code warm or its databases open. */
async function openPage(): Promise<Page> {
  const page = await profile.context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => document.title === "ready");
  return page;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions that the page put on its window.
const call = (page: Page, name: string, ...args: unknown[]): Promise<any> =>
  page.evaluate(
    ([fn, values]) =>
      (window as unknown as Record<string, (...all: unknown[]) => unknown>)[fn]?.(...values),
    [name, args] as const,
  );

async function inPage(name: string, ...args: unknown[]) {
  const page = await openPage();
  const result = await call(page, name, ...args);
  await page.close();
  return result;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test("5,000 changes come in few requests, and hardly slower than the disk takes them", async () => {
  const ratios: number[] = [];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const word = `rnd${round}`;
    profile = await openLastingProfile();
    const me: string = await inPage("signUp", newPerson());
    const had: number = await inPage("countRows", me);
    await addChanges(me, word);

    const page = await openPage();
    await call(page, "openOffline");
    const caughtUp = await call(page, "catchUp");
    await page.close();
    expect(await inPage("countRows", me)).toBe(had + MEDIA + COMMENTS);
    requests = Math.max(requests, caughtUp.requests);

    const direct = await inPage("writeDirectly", me, word);
    expect(direct.rows).toBe(MEDIA + COMMENTS);
    await profile.close();
    ratios.push(caughtUp.took / direct.took);
    process.stdout.write(
      `pull ${caughtUp.took.toFixed(0)} ms, rows directly ${direct.took.toFixed(0)} ms\n`,
    );
  }
  const ratio = median(ratios);
  process.stdout.write(
    `catching up with ${MEDIA + COMMENTS} changes: ${requests} requests (<= ${REQUESTS_MOST}), against writing the rows ` +
      `directly: ratio ${ratio.toFixed(2)} (<= ${TIME_MOST})\n`,
  );
  expect(requests).toBeLessThanOrEqual(REQUESTS_MOST);
  expect(ratio).toBeLessThanOrEqual(TIME_MOST);
});
