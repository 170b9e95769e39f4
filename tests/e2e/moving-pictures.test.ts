/** Moving pictures: videos that play by themselves in the gallery, one at a time and only where the device allows, and animated GIFs. */
import { readFileSync } from "node:fs";
import { inRoot } from "@scripts/checkout.mjs";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";

let app: App;
let superuser: SignedIn;
let owner: SignedIn;
let profile: Profile;
let page: Page;
let gallery: GalleryPage;
const ids: Record<string, string> = {};

type File =
  | "photo.jpg"
  | "video.webm"
  | "animated.gif"
  | "png-animated.png"
  | "webp-animated.webp"
  | "png.png";

const bytesOf = (file: File) =>
  file.startsWith("png") || file.startsWith("webp")
    ? new Uint8Array(readFileSync(inRoot(`tests/files/${file}`)))
    : mediaFixture(file as FixtureName);

async function publish(caption: string, file: File) {
  const kind = file === "video.webm" ? "video" : "photo";
  const form = new FormData();
  const fields = { userId: owner.id, username: "ada", type: kind, caption, width: 64, height: 48 };
  for (const [field, value] of Object.entries(fields)) form.set(field, String(value));
  form.set("thumbnail", new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "t.jpg");
  form.set("preview", new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "p.jpg");
  form.set("file", new Blob([bytesOf(file)]), file);
  const path = "/api/collections/media/records";
  const { status, body } = await app.api("POST", path, form, superuser.token);
  expect([status, body.message]).toEqual([200, undefined]);
  ids[caption] = body.id;
}

/** Counts, from the beginning of every page on, how many videos play at once, wherever they are. */
function countPlaying(): void {
  const videos = new Set<HTMLVideoElement>();
  const kept = { most: 0, started: 0 };
  Object.assign(window, { kept });
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    kept.started++;
    return play.call(this);
  };
  document.addEventListener(
    "play",
    ({ target }) => {
      if (target instanceof HTMLVideoElement) videos.add(target);
      kept.started++;
      const playing = [...videos].filter((video) => !video.paused);
      kept.most = Math.max(kept.most, playing.length);
    },
    true,
  );
}
const counted = () =>
  page.evaluate(() => (window as unknown as { kept: { most: number; started: number } }).kept);

/** Captions of the media whose video moves, and whether it is heard. */
const playing = () =>
  page.evaluate(() =>
    [...document.querySelectorAll("video")]
      .filter((video) => !video.paused && video.currentTime > 0)
      .map((video) => {
        const title = video.closest("article")?.querySelector("strong")?.textContent;
        return `${title}, ${video.muted ? "muted" : "heard"}`;
      }),
  );
/** Cards far from the window are not in the page, so this walks down until the card is there. */
const toMiddle = (caption: string) =>
  page.evaluate(async (id) => {
    const card = () => document.querySelector(`[data-media-id="${id}"] .shell-picture`);
    while (card() === null) {
      const before = window.scrollY;
      window.scrollBy({ top: 200, behavior: "instant" });
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (window.scrollY === before && card() === null) throw new Error("no such card");
    }
    card()?.scrollIntoView({ block: "center", behavior: "instant" });
  }, ids[caption]);
const open = async () => {
  await page.goto(app.url);
  await gallery.untilLive();
  await gallery
    .cardById(ids["Film A"] ?? "")
    .getByTestId("video-mark")
    .waitFor();
};
/** What would play by itself has had its turn: pictures in sight were told, and many frames went by. */
const untilTurn = () =>
  page.evaluate(async () => {
    await new Promise<void>((resolve) => {
      const picture = document.querySelector("[data-testid=video-mark]")?.parentElement;
      if (picture === null || picture === undefined) throw new Error("no video");
      new IntersectionObserver(([seen]) => seen?.isIntersecting && resolve()).observe(picture);
    });
    for (let i = 0; i < 60; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  owner = await signUp(app, { username: "ada" });
  for (let i = 0; i < 4; i++) await publish(`Photo ${i}`, "photo.jpg");
  await publish("Still", "png.png");
  await publish("Buoy", "png-animated.png");
  await publish("Bird", "webp-animated.webp");
  await publish("Boat", "animated.gif");
  for (const name of ["C", "B", "A"]) await publish(`Film ${name}`, "video.webm");
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  gallery = new GalleryPage(page);
  await page.addInitScript(countPlaying);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("the video nearest to the middle plays, muted, and no other; scrolled out of sight it stops", async () => {
  await open();
  await gallery.toggleColumns();
  await toMiddle("Film B");
  await expect.poll(playing).toEqual(["Film B, muted"]);
  await toMiddle("Film C");
  await expect.poll(playing).toEqual(["Film C, muted"]);
  await toMiddle("Film A");
  await expect.poll(playing).toEqual(["Film A, muted"]);
  await toMiddle("Photo 0");
  await expect.poll(() => page.locator("video").count()).toBe(0);
  expect(await counted()).toMatchObject({ most: 1 });
});

test("two beside each other take turns, never both", async () => {
  await gallery.toggleColumns();
  await open();
  await expect.poll(async () => (await playing()).length).toBe(1);
  await untilTurn();
  expect(await playing()).toHaveLength(1);
  expect(await counted()).toMatchObject({ most: 1 });
});

test("what plays by itself stops after five seconds, and is paused and started by its button", async () => {
  await open();
  const video = page.getByTestId("card-video");
  const isPaused = () => video.evaluate((element: HTMLVideoElement) => element.paused);
  const toggle = page.getByTestId("toggle-loop");
  await expect.poll(async () => (await playing()).length).toBe(1);
  await toggle.click();
  await expect.poll(isPaused).toBe(true);
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await toggle.getAttribute("aria-label")).toBe("Play");
  await toggle.click();
  await expect.poll(isPaused).toBe(false);
  // By itself.
  await expect.poll(isPaused).toBe(true);
});

test("where motion is to be spared none plays", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await untilTurn();
  expect(await counted()).toEqual({ most: 0, started: 0 });
  await page.emulateMedia({ reducedMotion: "no-preference" });
});

test("where data are to be spared none plays, and none is fetched", async () => {
  const saver = await openProfile({ viewport: { width: 390, height: 844 } });
  [page, gallery] = [saver.page, new GalleryPage(saver.page)];
  try {
    const files: string[] = [];
    page.on("request", (request) => /\.webm\b/.test(request.url()) && files.push(request.url()));
    await page.addInitScript(countPlaying);
    await page.addInitScript(() => {
      const { connection } = navigator as unknown as { connection: object };
      Object.defineProperty(Object.getPrototypeOf(connection), "saveData", { get: () => true });
    });
    await open();
    await untilTurn();
    expect(await counted()).toEqual({ most: 0, started: 0 });
    expect(files).toEqual([]);
  } finally {
    await saver.close();
    [page, gallery] = [profile.page, new GalleryPage(profile.page)];
  }
});

test("an animated GIF stands still in the gallery and moves on its own page", async () => {
  await open();
  const sources = gallery.cardById(ids["Boat"] ?? "").locator(".shell-picture img");
  await expect.poll(() => sources.count()).toBeGreaterThan(0);
  for (const source of await sources.evaluateAll((all) =>
    all.map((img) => img.getAttribute("src")),
  ))
    expect(source).not.toContain(".gif");
  const media = new MediaPage(page);
  await media.open(app.url, ids["Boat"] ?? "");
  await page.locator('[data-testid="photo"][data-loaded="true"]').waitFor();
  expect(await media.photo.getAttribute("src")).toContain(".gif");
  // Its frames are red and blue all over: what is seen in the middle changes, and comes again.
  const seen: string[] = [];
  const play = page.getByRole("button", { name: "Play" });
  const look = async () => {
    // It stops after five seconds, in which a slow machine sees little.
    if (await play.isVisible()) await play.click();
    const box = await media.photo.boundingBox();
    const clip = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 60, width: 8, height: 8 };
    const now = (await page.screenshot({ clip })).toString("base64");
    if (now !== seen.at(-1)) seen.push(now);
    return seen.length;
  };
  await expect.poll(look, { interval: 40 }).toBeGreaterThan(3);
  expect(new Set(seen).size).toBe(2);
  // Its still rendition takes its place by itself; Play brings the motion back.
  const toggle = page.getByTestId("toggle-loop");
  await play.waitFor();
  await media.photo.waitFor({ state: "detached" });
  await toggle.click();
  await media.photo.waitFor();
  await toggle.click();
  await media.photo.waitFor({ state: "detached" });
  expect(profile.errors).toEqual([]);
});

test.each([
  ["PNG", "Buoy"],
  ["WebP", "Bird"],
])(
  "an animated %s stops on its page after five seconds, too, and has the same button",
  async (_kind, caption) => {
    const media = new MediaPage(page);
    await media.open(app.url, ids[caption] ?? "");
    await media.photo.waitFor();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Play" }).waitFor();
    await media.photo.waitFor({ state: "detached" });
    await page.getByTestId("toggle-loop").click();
    await media.photo.waitFor();
  },
);

test("an animated GIF in a chat is still in its bubble, and stops after five seconds when it is opened", async () => {
  const friend = await signUp(app, { username: "bea" });
  const make = async (collection: string, body: unknown) => {
    const path = `/api/collections/${collection}/records`;
    const { status, body: row } = await app.api("POST", path, body, superuser.token);
    expect([status, row]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
    return row.id as string;
  };
  const chat = await make("conversations", {
    id: [owner.id, friend.id].sort().join("_"),
    participants: [owner.id, friend.id],
  });
  const form = new FormData();
  form.set("conversationId", chat);
  form.set("senderId", friend.id);
  form.set("type", "photo");
  form.set("image", new Blob([bytesOf("animated.gif")], { type: "image/gif" }), "a.gif");
  form.set("thumbnail", new Blob([bytesOf("photo.jpg")], { type: "image/jpeg" }), "t.jpg");
  await make("messages", form);
  const member = await openProfile({ viewport: { width: 390, height: 844 } });
  await new LoginPage(member.page).enter(app.url, owner);
  await member.page.goto(`${app.url}/chat/${chat}`);
  const bubble = member.page.getByTestId("message-photo");
  await bubble.waitFor();
  const still = await bubble.getAttribute("src");
  await member.page.getByTestId("open-photo").click();
  const whole = member.page.getByTestId("whole-photo");
  const source = () => whole.getAttribute("src");
  await expect.poll(source).toMatch(/\.gif\b/);
  await member.page.getByRole("button", { name: "Pause" }).waitFor();
  await member.page.getByRole("button", { name: "Play" }).waitFor();
  expect(await source()).toBe(still);
  await member.page.getByTestId("toggle-loop").click();
  await expect.poll(source).toMatch(/\.gif\b/);
  await member.close();
});

test("a PNG that stands still is asked once whether it moves, and has no button", async () => {
  const heads: string[] = [];
  page.on("response", (response) => {
    if (response.request().headers()["range"]?.startsWith("bytes=0-")) heads.push(response.url());
  });
  const answered = page.waitForResponse(
    (response) => response.request().headers()["range"] !== undefined,
  );
  const media = new MediaPage(page);
  await media.open(app.url, ids["Still"] ?? "");
  await media.photo.waitFor();
  await (await answered).finished();
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  expect(await page.getByTestId("toggle-loop").count()).toBe(0);
  expect(heads).toHaveLength(1);
});
