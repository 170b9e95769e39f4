/** Nothing moves while pictures come, however slowly, nor without a network: on a first visit and a later one, on a phone and a desktop. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { createSuperuser } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { byTurns } from "@tests/support/thorough";
import { untilControlled } from "@tests/support/until-controlled";
import { shiftsOf, watchShifts } from "@tests/support/watch-shifts";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MEDIA = 60;
const SIZES = [
  { width: 390, height: 844, turn: 0 },
  { width: 1280, height: 800, turn: 1 },
];
let app: App;

/** One real photo, and copies of its row in other shapes. */
async function fillServer(): Promise<void> {
  const author = await openAsAda(app, { width: 1280, height: 800 });
  const upload = new UploadPage(author.page);
  await upload.open(app.url);
  const photo = photoFile("light.jpg", await drawPhoto(author.context, 40));
  await upload.upload([photo], { caption: "First light over the ridge", tags: "ridge, light" });
  await author.page.waitForURL(`${app.url}/`);
  await author.close();
  const { token } = await createSuperuser(app);
  const columns = (await sql(app, token, "SELECT name FROM pragma_table_info('media')")).map(
    (row) => String(row["name"]),
  );
  const values = columns.map((name) => {
    if (name === "id") return "substr('shift0000000000', 1, 12) || printf('%03d', n)";
    if (name === "height") return "500 + (n % 9) * 100";
    if (name === "createdAt") return "datetime('now', '-' || n || ' hours') || '.000Z'";
    return `"${name}"`;
  });
  await sql(
    app,
    token,
    `WITH RECURSIVE seq(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < ${MEDIA - 1})
     INSERT INTO media (${columns.map((name) => `"${name}"`).join(", ")})
     SELECT ${values.join(", ")} FROM seq, (SELECT * FROM media LIMIT 1)`,
  );
}

beforeAll(async () => {
  app = await startApp();
  await fillServer();
});
afterAll(() => app?.stop());

/** Holds every picture back until the answer is called. */
async function holdPictures(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (route: Route) => {
    await gate;
    await route.continue();
  };
  await page.route("**/api/files/**", hold);
  return async () => {
    release();
    await page.waitForFunction(() => {
      const wanted = [...document.querySelectorAll("img")].filter(
        ({ loading }) => loading !== "lazy",
      );
      return wanted.length > 0 && wanted.every(({ complete }) => complete);
    });
    // Two frames: what the pictures change is painted, and its shifts are known.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await page.unroute("**/api/files/**", hold);
  };
}

/** Without a service worker every picture can be held back. */
const visitor = async (size: { width: number; height: number }): Promise<Profile> => {
  const profile = await openProfile({ serviceWorkers: "block", viewport: size });
  await watchShifts(profile.page);
  return profile;
};
/** A page is not loaded before its pictures are. */
const arrive = (page: Page, path: string): Promise<unknown> =>
  page.goto(`${app.url}${path}`, { waitUntil: "commit" });

test.each(SIZES)("the gallery stands still at $width × $height", async (size) => {
  const visit = await visitor(size);
  const { page } = visit;
  const gallery = new GalleryPage(page);
  for (const kind of ["a first visit", "a later one"]) {
    const release = await holdPictures(page);
    await arrive(page, "/");
    await gallery.untilLive();
    await gallery.cards.first().waitFor();
    await release();
    expect(await shiftsOf(page), kind).toEqual([]);
  }
  const release = await holdPictures(page);
  await gallery.loadMore.click();
  await expect
    .poll(() => page.locator("li[data-media-id]").first().getAttribute("aria-setsize"))
    .toBe(String(MEDIA));
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await gallery.cards.last().waitFor();
  await release();
  expect(await shiftsOf(page)).toEqual([]);
  await visit.close();
});

test.each(SIZES)("a picture's own page stands still at $width × $height", async (size) => {
  const visit = await visitor(size);
  const { page } = visit;
  const media = new MediaPage(page);
  for (const kind of ["a first visit", "a later one"]) {
    const release = await holdPictures(page);
    await arrive(page, "/view/first-light-over-the-ridge-shift0000000005");
    await media.detail.waitFor();
    await release();
    expect(await shiftsOf(page), kind).toEqual([]);
  }
  await visit.close();
});

test.each(SIZES)("a person's page stands still at $width × $height", async (size) => {
  const visit = await visitor(size);
  const { page } = visit;
  const gallery = new GalleryPage(page);
  for (const kind of ["a first visit", "a later one"]) {
    const release = await holdPictures(page);
    await arrive(page, "/user/ada.l");
    await gallery.cards.first().waitFor();
    await release();
    expect(await shiftsOf(page), kind).toEqual([]);
  }
  await visit.close();
});

/** What anybody may open: texts, forms, and pages of what is not on this device. */
const ROUTES = [
  "/",
  "/terms",
  "/privacy",
  "/login",
  "/signup",
  "/forgot-password",
  "/outbox",
  "/device",
  "/notifications",
  "/user/ada.l",
  "/user/nobody.here",
  "/explore",
  "/tag/ridge",
  "/?q=ridge",
  "/view/first-light-over-the-ridge-shift0000000005",
  "/nowhere",
];

test.each(SIZES)(
  "routes stand still without a network, opened for the first time, at $width × $height",
  async ({ turn, ...size }) => {
    const routes = byTurns(ROUTES, turn, SIZES.length);
    const visit = await openProfile({ viewport: size, frames: true });
    const { page } = visit;
    await watchShifts(page);
    const gallery = new GalleryPage(page);
    await gallery.open(app.url);
    await gallery.untilLive();
    await untilControlled(page);
    await app.stop();
    const moved: [string, unknown][] = [];
    try {
      for (const path of routes) {
        await page.goto(`${app.url}${path}`);
        // The footer is shown when everything above it stands.
        await page.locator("footer").waitFor();
        // What is found here is shown before the server is known not to answer.
        if (path.includes("ridge") && !path.startsWith("/view/"))
          await page.getByTestId("device-only").waitFor();
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        moved.push([path, await shiftsOf(page)]);
      }
    } finally {
      await app.restart();
    }
    await visit.close();
    expect(moved).toEqual(routes.map((path) => [path, []]));
  },
);

test.each(SIZES)(
  "the footer stands still while it is asked who is signed in, at $width × $height",
  async (size) => {
    const visit = await openProfile({ viewport: size, serviceWorkers: "block" });
    const { page } = visit;
    await watchShifts(page);
    const held: Route[] = [];
    await page.route("**/assets/browser-client-*.js", (route) => void held.push(route));
    await page.goto(`${app.url}/nowhere`);
    await page.getByTestId("not-found").waitFor();
    await page.getByTestId("footer-language").waitFor();
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.continue();
    await page.getByTestId("login-link").waitFor();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await shiftsOf(page)).toEqual([]);
    await visit.close();
  },
);
