/** The gallery with more media than a screen holds: pages of 30, filters, orders, columns, and the way back. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { createSuperuser } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const ROWS = 100;
let app: App;
let author: Profile;
let visitor: Profile;

interface Seeds {
  word: string;
  rows: number;
  /** Hours before now at which the first of them begins. */
  after: number;
  type: "photo" | "video";
}

/** One real photo, and copies of its row, each an hour older than the one before. */
async function seedMedia({ word, rows, after, type }: Seeds): Promise<void> {
  const { token } = await createSuperuser(app);
  const columns = (await sql(app, token, "SELECT name FROM pragma_table_info('media')")).map(
    (row) => String(row["name"]),
  );
  const values = columns.map((name) => {
    if (name === "id")
      return `substr('${word.toLowerCase()}000000000000', 1, 12) || printf('%03d', n)`;
    if (name === "caption") return `'${word} ' || n`;
    if (name === "type") return `'${type}'`;
    if (name === "createdAt")
      return `datetime('now', '-' || (${after} + n) || ' hours') || '.000Z'`;
    return `"${name}"`;
  });
  await sql(
    app,
    token,
    `WITH RECURSIVE seq(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < ${rows})
     INSERT INTO media (${columns.map((name) => `"${name}"`).join(", ")})
     SELECT ${values.join(", ")} FROM seq, (SELECT * FROM media LIMIT 1)`,
  );
}

beforeAll(async () => {
  app = await startApp();
  author = await openAsAda(app, { width: 1280, height: 800 });
  visitor = await openProfile({ viewport: { width: 390, height: 844 } });
  await share("The newest");
  await seedMedia({ word: "Old", rows: ROWS, after: 0, type: "photo" });
});

afterAll(async () => {
  await Promise.allSettled([author?.close(), visitor?.close()]);
  await app?.stop();
});

async function share(caption: string): Promise<void> {
  const upload = new UploadPage(author.page);
  await upload.open(app.url);
  const photo = await drawPhoto(author.context, 40);
  await upload.upload([photoFile("new.jpg", photo)], { caption });
  await author.page.waitForURL(`${app.url}/`);
}

const total = async (page: Page): Promise<number> =>
  Number(await page.locator("li[data-media-id]").first().getAttribute("aria-setsize"));

async function toTheEnd(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
}

test("thirty come first, thirty more with each press and not by scrolling, and only those near the window are in the page", async () => {
  const { page } = visitor;
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await expect.poll(() => total(page)).toBe(30);
  for (const rows of [60, 90, ROWS + 1]) {
    await toTheEnd(page);
    await gallery.loadMore.click();
    await expect.poll(() => total(page)).toBe(rows);
  }
  await page.getByTestId("all-seen").waitFor();
  await gallery.loadMore.waitFor({ state: "detached" });
  expect(await gallery.cards.count()).toBeLessThan(40);
});

test("coming back from a detail page finds the gallery where it was left", async () => {
  const { page } = visitor;
  const gallery = new GalleryPage(page);
  await page.evaluate(() => window.scrollTo(0, 4000));
  const card = gallery.card("Old 50");
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 300);
      return card.count();
    })
    .toBe(1);
  await card.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  await gallery.openMedia("Old 50");
  const media = new MediaPage(page);
  await media.detail.waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await media.back.click();
  await card.waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest("[data-media-id]")?.textContent ?? "");
  await expect.poll(focused).toContain("Old 50");
  expect(await total(page)).toBe(ROWS + 1);
});

test("what arrives above leaves the card in sight where it is", async () => {
  const { page } = visitor;
  const gallery = new GalleryPage(page);
  await gallery.card("Old 50").waitFor();
  const anchor = await page
    .locator("li[data-media-id]")
    .evaluateAll((cards) =>
      cards.find((card) => card.getBoundingClientRect().top >= 0)?.getAttribute("data-media-id"),
    );
  const card = gallery.cardById(anchor ?? "");
  const top = async () => Math.round((await card.boundingBox())?.y ?? -1);
  const before = await top();
  const scrolled = await page.evaluate(() => window.scrollY);
  await share("Just arrived");
  await share("And another one");
  await expect.poll(() => total(page)).toBe(ROWS + 3);
  expect(await top()).toBe(before);
  // Two more cards lie above: what is in sight can only have stayed because the page scrolled along.
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolled);
  await page.evaluate(() => window.scrollTo(0, 0));
  await gallery.card("Just arrived").waitFor();
});

test("filters name what is missing, and columns are remembered", async () => {
  const { page } = visitor;
  const gallery = new GalleryPage(page);
  await gallery.filter("videos");
  await page.getByTestId("gallery-empty").waitFor();
  await gallery.filter("photos");
  await gallery.cards.first().waitFor();
  await gallery.toggleColumns();
  const widths = () =>
    page.locator("li[data-media-id]").evaluateAll((cards) => cards.map((card) => card.clientWidth));
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(300);
  await page.reload();
  await gallery.untilLive();
  expect(Math.min(...(await widths()))).toBeGreaterThan(300);
});

test("a caption runs in the direction of its script", async () => {
  await share("مرحبا بالعالم");
  const { page } = author;
  const gallery = new GalleryPage(page);
  const direction = (title: Locator) =>
    title.evaluate((element) => getComputedStyle(element).direction);
  await expect.poll(() => direction(gallery.card("مرحبا بالعالم").locator("strong"))).toBe("rtl");
  await gallery.openMedia("مرحبا بالعالم");
  expect(await direction(page.getByRole("heading", { name: "مرحبا بالعالم" }))).toBe("rtl");
  await page.goto(app.url);
  await gallery.untilLive();
  expect(await direction(gallery.card("Old 1").first().locator("strong"))).toBe("ltr");
});

test("a reload finds the place, the rows and the choice again; the address typed anew begins at the top", async () => {
  const { page } = visitor;
  const gallery = new GalleryPage(page);
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await gallery.open(app.url);
  await gallery.untilLive();
  await gallery.filter("photos");
  await toTheEnd(page);
  await gallery.loadMore.click();
  await expect.poll(() => total(page)).toBe(60);
  await page.evaluate(() => window.scrollTo(0, 6_000));
  await expect.poll(scrolled).toBe(6_000);
  await page.reload();
  await gallery.untilLive();
  await expect.poll(() => total(page)).toBe(60);
  await expect.poll(scrolled).toBe(6_000);
  expect(await page.getByTestId("filter-photos").getAttribute("aria-pressed")).toBe("true");
  // So does Back from a page that was loaded again.
  const seen = await page.evaluate(
    () =>
      document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li")?.dataset["mediaId"],
  );
  const card = gallery.cardById(seen ?? "").getByTestId("open-media");
  await card.scrollIntoViewIfNeeded();
  const before = await scrolled();
  await card.click();
  const media = new MediaPage(page);
  await media.detail.waitFor();
  await page.reload();
  await media.detail.waitFor();
  await media.back.click();
  await gallery.untilLive();
  await expect.poll(scrolled).toBe(before);
  expect(before).toBeGreaterThan(4_000);
  expect(await total(page)).toBe(60);
  await page.goto(`${app.url}/terms`);
  await page.goto(app.url);
  await gallery.untilLive();
  await expect.poll(() => total(page)).toBe(30);
  expect(await scrolled()).toBe(0);
  expect(await page.getByTestId("filter-all").getAttribute("aria-pressed")).toBe("true");
});

test("under a filter the gallery asks for what is older than this device has, before it says that this is all", async () => {
  await seedMedia({ word: "Filler", rows: 250, after: 200, type: "photo" });
  await seedMedia({ word: "Film", rows: 35, after: 1000, type: "video" });
  const late = await openProfile({ viewport: { width: 390, height: 844 } });
  const { page } = late;
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await gallery.filter("videos");
  await gallery.card("Film 1").first().waitFor();
  await expect.poll(() => total(page)).toBe(30);
  await toTheEnd(page);
  await gallery.loadMore.click();
  await expect.poll(() => total(page)).toBe(35);
  await page.getByTestId("all-seen").waitFor();
  await late.close();
});
