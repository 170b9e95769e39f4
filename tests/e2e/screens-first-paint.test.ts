/** What stands on the screen before any script has run, and that the app takes it over where it stands. */
import {
  type App,
  openProfile,
  type Profile,
  type ProfileOptions,
  startApp,
} from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { signAdaUp } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MINUTE = 60_000;
/** The app's own script, and none of its parts. */
const PROGRAM = /\/assets\/index-[^/]*\.js$/;
let app: App;
/** Ada's, who has uploaded four photos. */
let profile: Profile;
/** What ends with a test, so that the next begins anew: visitors, and what was held back. */
const visitors: Profile[] = [];
const held: (() => void)[] = [];

beforeAll(async () => {
  app = await startApp();
  // Without a service worker every request can be held back.
  profile = await openProfile({ serviceWorkers: "block" });
  const { page, context } = profile;
  await signAdaUp(app, page);
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const files = [
    photoFile("photo-10.jpg", await drawPhoto(context, 10)),
    photoFile("photo-120.jpg", await drawPhoto(context, 120, { width: 500, height: 900 })),
    photoFile("photo-240.jpg", await drawPhoto(context, 240, { width: 700, height: 700 })),
    photoFile("photo-330.jpg", await drawPhoto(context, 330)),
  ];
  await upload.upload(files, { caption: "First light" });
  await page.getByText("Upload successful!").first().waitFor();
  const gallery = new GalleryPage(page);
  await gallery.cards.nth(3).waitFor();
  await gallery.untilLive();
});

afterEach(async () => {
  for (const release of held.splice(0)) release();
  for (const { page } of [profile, ...visitors]) await page.unrouteAll({ behavior: "wait" });
  for (const visitor of visitors.splice(0)) await visitor.close();
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

async function visit(options: ProfileOptions = { serviceWorkers: "block" }): Promise<Page> {
  const visitor = await openProfile(options);
  visitors.push(visitor);
  return visitor.page;
}

/** Holds back what matches until the answer is called, or the test ends. */
async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await gate;
    await route.continue();
  });
  held.push(release);
  return release;
}

/** Holds every script back until the answer is called. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const release = await hold(page, "**/assets/*.js");
  return async () => {
    release();
    await page.waitForLoadState("load");
  };
}

const boxes = (page: Page) =>
  page.locator("li[data-media-id]").evaluateAll((cards) =>
    cards.slice(0, 3).map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect();
      const picture = card.querySelector(".shell-picture")?.getBoundingClientRect();
      const title = card.querySelector(".shell-title")?.getBoundingClientRect();
      const numbers = [x, y, width, height, picture?.height ?? 0, title?.x ?? 0, title?.y ?? 0];
      return [card.getAttribute("data-media-id"), ...numbers.map(Math.round)];
    }),
  );

test("the shell stands in the saved theme before any script has come", async () => {
  const page = await visit();
  await page.goto(`${app.url}/terms`);
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await hold(page, "**/api/collections/media/records?*");
  const release = await holdScripts(page);
  await page.goto(app.url, { waitUntil: "commit" });
  await page.getByText("All Media").waitFor();
  await page.locator(".shell-skeleton .shell-picture").first().waitFor();
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(background).toBe("rgb(15, 23, 42)");
  const color = await page.locator('meta[name="theme-color"]').getAttribute("content");
  expect(color).toBe("#0f172a");
  await release();
  await page.getByTestId("login-link").waitFor();
});

test("the first screen of the last visit is painted from its snapshot, and the replica takes over without a jump", async () => {
  const { page } = profile;
  const gallery = new GalleryPage(page);
  for (const [size, columns] of [
    [{ width: 390, height: 844 }, "2"],
    [{ width: 1280, height: 800 }, "2"],
    [{ width: 1280, height: 800 }, "1"],
  ] as const) {
    await page.setViewportSize(size);
    await page.evaluate((saved) => localStorage.setItem("columns", saved), columns);
    const release = await holdScripts(page);
    await page.goto(app.url, { waitUntil: "commit" });
    await gallery.cardOf("snapshot").first().waitFor();
    const before = await boxes(page);
    await page.evaluate(() => {
      const kept = window as unknown as { shift: number };
      kept.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          kept.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await release();
    await gallery.untilLive();
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(await boxes(page)).toEqual(before);
    const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
    expect(shift).toBeLessThan(0.01);
  }
});

test("signing out takes the snapshot along", async () => {
  const { page } = profile;
  await page.goto(app.url);
  const gallery = new GalleryPage(page);
  await gallery.untilLive();
  await page.reload();
  await gallery.untilLive();
  const stored = () => page.evaluate(() => localStorage.getItem("augenblick.first-screen") ?? "");
  expect(await stored()).toContain("First light");
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
  const owner = await page.evaluate(() => {
    const screen = JSON.parse(localStorage.getItem("augenblick.first-screen") ?? "null");
    return screen === null ? "" : screen.userId;
  });
  expect(owner).toBe("");
});

test("a visitor's first pictures stand before any script of the app has come, asked for once", async () => {
  const page = await visit();
  const gallery = new GalleryPage(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("perPage=30&")) asked.push(request.url());
  });
  const release = await holdScripts(page);
  await page.goto(app.url, { waitUntil: "commit" });
  await gallery.cardOf("snapshot").locator("img").first().waitFor();
  const before = await boxes(page);
  expect(before).toHaveLength(3);
  await release();
  await gallery.untilLive();
  expect(await boxes(page)).toEqual(before);
  expect(asked).toHaveLength(1);
});

test("on a first visit the program is fetched after the pictures one sees, or after two seconds of waiting for them", async () => {
  const page = await visit();
  const programs: string[] = [];
  page.on("request", (request) => {
    if (PROGRAM.test(request.url())) programs.push(request.url());
  });
  // From here on the page's time goes only as far as it is told to.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + MINUTE);
  const pictures = "**/api/files/media/**";
  let release = await hold(page, pictures);
  const seen = page.locator(".shell-grid img");
  const allCame = () =>
    seen.evaluateAll(
      (all) => all.length > 0 && all.every((one) => (one as HTMLImageElement).complete),
    );

  await page.goto(app.url, { waitUntil: "commit" });
  await seen.first().waitFor({ state: "attached" });
  await page.clock.runFor(1_000);
  expect(programs).toEqual([]);
  release();
  // Frame by frame, because the pictures are decoded some time after they came; the two seconds are far from over.
  let waited = 0;
  const goOn = async () => {
    await page.clock.runFor(4);
    waited += 4;
    return programs.length;
  };
  await expect.poll(goOn).toBe(1);
  expect(waited).toBeLessThan(900);

  programs.length = 0;
  release = await hold(page, pictures);
  await page.reload({ waitUntil: "commit" });
  await seen.first().waitFor({ state: "attached" });
  expect(programs).toEqual([]);
  const fetchedAnyway = page.waitForRequest(PROGRAM);
  await page.clock.runFor(2_000);
  await fetchedAnyway;
  expect(await allCame()).toBe(false);
});

test("where the program is on the device it is not kept waiting for any picture", async () => {
  const page = await visit({});
  await page.goto(app.url);
  await untilControlled(page);
  // From here on no picture is ever ready, and no patience ends.
  await page.addInitScript(() => {
    HTMLImageElement.prototype.decode = () => new Promise(() => undefined);
    const { setTimeout } = window;
    const impatient = (run: () => void, ms = 0) => (ms < 1_000 ? setTimeout(run, ms) : 0);
    Object.assign(window, { setTimeout: impatient });
  });
  await page.reload({ waitUntil: "commit" });
  await page.locator("li[data-media-id] [data-testid=media-card]").first().waitFor();
});

test("a visitor's first pictures that come after the app stand before the replica is open", async () => {
  const page = await visit();
  const gallery = new GalleryPage(page);
  const answer = await hold(page, "**/api/collections/media/records?*");
  const open = await hold(page, "**/assets/browser-client*.js");
  await page.goto(app.url, { waitUntil: "commit" });
  await page.getByTestId("gallery-loading").waitFor();
  answer();
  await page.locator('[data-testid="gallery"][data-source="snapshot"]').waitFor();
  await gallery.cardOf("app").first().waitFor();
  open();
  await gallery.untilLive();
});

test("nothing is asked for ahead where somebody is signed in", async () => {
  const page = await visit();
  await page.goto(`${app.url}/terms`);
  await page.evaluate(() => {
    localStorage.setItem("augenblick.session", JSON.stringify({ user: { id: "somebody0000001" } }));
  });
  const release = await holdScripts(page);
  await page.goto(app.url, { waitUntil: "commit" });
  // The page is read to its end, and with it the script that would ask.
  await page.waitForFunction(() => document.readyState !== "loading");
  expect(await page.evaluate(() => window.firstMedia)).toBeUndefined();
  await release();
});
