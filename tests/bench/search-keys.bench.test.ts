/**
 * Typing into the search with 10,000 media on the device, without a network: the built app in a real browser. No key may hold
 * the page up, and nor may the reading of what is looked through.
 */
import { GalleryPage } from "@tests/e2e/pages/gallery-page";
import { SignupPage } from "@tests/e2e/pages/signup-page";
import { photoFile, UploadPage } from "@tests/e2e/pages/upload-page";
import { type App, openLastingProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { traceDuring } from "@tests/support/trace-page";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const MINUTE = 60_000;
const ROWS = 10_000;
const KEY_TASK_MAX_MS = 16;
const INDEX_TASK_MAX_MS = 50;
/** Common, rare and never found; letters that end a word and begin one. */
const TEXTS = ["harbour", "number 99", "zzz"];

let app: App;
let reader: Profile;

async function shareOne(): Promise<void> {
  const author = await openLastingProfile();
  const signup = new SignupPage(author.page);
  await signup.open(app.url);
  await signup.signUp({
    email: "ada@example.com",
    username: "ada.l",
    password: "Kirschkuchen-7",
  });
  const upload = new UploadPage(author.page);
  await upload.open(app.url);
  const photo = photoFile("photo.jpg", await drawPhoto(author.context, 40));
  await upload.upload([photo], { caption: "First light" });
  await author.page.waitForURL(`${app.url}/`);
  await author.close();
}

/** Copies of the one medium, with texts of their own. */
async function fillReplica(page: Page): Promise<void> {
  await page.evaluate(async (rows) => {
    const words = "harbour evening birch forest winter market train summer bridge lantern".split(
      " ",
    );
    const names = (await indexedDB.databases()).map((database) => database.name ?? "");
    const name = names.find((known) => /^rxdb-dexie-augenblick-guest--.*media_/.test(known));
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name ?? "");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const store = database.transaction("docs", "readwrite").objectStore("docs");
    const first = await new Promise<Record<string, unknown>>((resolve) => {
      const request = store.getAll();
      request.onsuccess = () => resolve(request.result[0]);
    });
    for (let i = 0; i < rows; i++) {
      store.put({
        ...first,
        id: i.toString(36).padStart(15, "0"),
        sortKey: Number(first["sortKey"]) + (i + 100) * 60_000,
        caption: `${words[i % 10]} and ${words[(i * 7) % 10]} number ${i}`,
        tags: [words[(i * 3) % 10]],
      });
    }
    await new Promise((resolve) => {
      store.transaction.oncomplete = resolve;
    });
    database.close();
  }, ROWS);
}

beforeAll(async () => {
  app = await startApp();
  await shareOne();
  reader = await openLastingProfile({ viewport: { width: 390, height: 844 } });
  const gallery = new GalleryPage(reader.page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await untilControlled(reader.page);
  await app.stop();
  await fillReplica(reader.page);
  await reader.page.reload();
  await gallery.untilLive();
});
afterAll(async () => {
  await reader?.close();
  await app?.stop();
});

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Until what was typed was answered, and everything about it is drawn. */
async function settled(page: Page, text: string): Promise<void> {
  const results = page.getByTestId("search-results").or(page.getByTestId("search-nothing"));
  const heading = page.getByTestId("search-heading");
  await results.or(page.getByTestId("search-failed")).first().waitFor();
  if (await heading.isVisible()) await heading.filter({ hasText: text }).waitFor();
  await untilIdle(page);
}

const untilIdle = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve()))),
  );

/** Back in the gallery, with everything of it drawn: that is no part of the next key. */
async function clear(page: Page): Promise<void> {
  await new GalleryPage(page).search.fill("");
  await page.getByTestId("gallery").waitFor();
  await untilIdle(page);
}

test("no key of a search among 10,000 media costs a task over 16 ms, and reading them none over 50 ms", async () => {
  const { page } = reader;
  page.setDefaultTimeout(2 * MINUTE);
  const { search } = new GalleryPage(page);
  const reading = await traceDuring(page, async () => {
    await search.focus();
    // Said only when everything was looked through.
    await search.fill("qqq");
    await page.getByTestId("search-nothing").waitFor();
  });
  const keys: { key: string; task: number; parts: string[] }[] = [];
  await clear(page);
  // The first round is the browser's own warming up.
  for (let round = 0; round < 3; round++) {
    for (const text of TEXTS) {
      for (const [i, key] of [...text].entries()) {
        const { tasks } = await traceDuring(page, async () => {
          await page.keyboard.press(key);
          await settled(page, text.slice(0, i + 1).trim());
        });
        const { ms: task = 0, parts = [] } = tasks[0] ?? {};
        if (round > 0) keys.push({ key: text.slice(0, i + 1), task, parts });
      }
      await clear(page);
    }
  }
  const worst = keys.reduce((a, b) => (b.task > a.task ? b : a));
  if (worst.task > KEY_TASK_MAX_MS) process.stdout.write(`  ${worst.parts.join("\n  ")}\n`);
  process.stdout.write(
    `search among ${ROWS}: longest task of a key ${median(keys.map((one) => one.task)).toFixed(1)} ms in the middle, ${worst.task.toFixed(1)} ms at worst (<= ${KEY_TASK_MAX_MS}, "${worst.key}"); reading the index ${(reading.tasks[0]?.ms ?? 0).toFixed(1)} ms (<= ${INDEX_TASK_MAX_MS})\n`,
  );
  expect(reading.tasks[0]?.ms ?? 0).toBeLessThanOrEqual(INDEX_TASK_MAX_MS);
  expect(worst.task).toBeLessThanOrEqual(KEY_TASK_MAX_MS);
});
