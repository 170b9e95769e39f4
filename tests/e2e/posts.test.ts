/** Several photos and videos in one post: made, met as one card, swiped through, changed and deleted. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { takePicture } from "@tests/support/look-at-page";
import { mediaFixture } from "@tests/support/media-fixtures";
import { untilControlled } from "@tests/support/until-controlled";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signAdaUp } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { type PickedFile, photoFile, UploadPage } from "./pages/upload-page";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
let app: App;
let ada: Profile;
let guest: Profile;
let files: PickedFile[];

interface Row {
  id: string;
  type: string;
  caption: string;
  tags: string[];
  alt: string;
  post: string;
  postIndex: number;
  likes: number;
}

const rowsWith = async (caption: string): Promise<Row[]> => {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  const { items } = (await app.api("GET", `/api/collections/media/records?filter=${filter}`)).body;
  return (items as Row[]).sort((a, b) => a.postIndex - b.postIndex);
};
const mark = (page: Page, caption: string) =>
  new GalleryPage(page).card(caption).getByTestId("post-mark").innerText();

/** One finger, `by` pixels sideways. */
const FRAME_SECONDS = 0.016;

/** As fast as fingers are, by the clock of the events: Chromium lets faster ones pass a picture. */
async function swipe({ context, page }: Profile, from: { x: number; y: number }, by: number) {
  const cdp = await context.newCDPSession(page);
  const began = Date.now() / 1000 - 6 * FRAME_SECONDS;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", fifths: number, frame = fifths) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: from.x + (fifths / 5) * by, y: from.y }],
      timestamp: began + frame * FRAME_SECONDS,
    });
  await touch("touchStart", 0);
  for (const fifths of [1, 2, 3, 4, 5]) await touch("touchMove", fifths);
  await touch("touchEnd", 5, 6);
}

/** Which of its pictures fills the track, from 0, once it has stood still; -1 between two. */
const placeAtRest = (track: Locator): Promise<number> =>
  track.evaluate(async (node) => {
    let left = Number.NaN;
    for (let still = 0; still < 30; still += 1) {
      if (node.scrollLeft !== left) still = 0;
      left = node.scrollLeft;
      await new Promise(requestAnimationFrame);
    }
    const start = node.getBoundingClientRect().left;
    return [...node.children].findIndex(
      (slide) => Math.abs(slide.getBoundingClientRect().left - start) < 1,
    );
  });

beforeAll(async () => {
  app = await startApp();
  ada = await openProfile(PHONE);
  guest = await openProfile({ viewport: { width: 1280, height: 800 } });
  ada.page.on("dialog", (dialog) => void dialog.accept());
  await signAdaUp(app, ada.page);
  const photos = [200, 20, 110].map((hue, i) =>
    drawPhoto(
      ada.context,
      hue,
      i === 1 ? { width: 600, height: 900 } : { width: 900, height: 600 },
    ),
  );
  const [first, second, third] = await Promise.all(photos);
  const film = Buffer.from(mediaFixture("video.webm"));
  files = [
    photoFile("one.jpg", first as Buffer),
    photoFile("two.jpg", second as Buffer),
    { name: "film.webm", mimeType: "video/webm", buffer: film },
    photoFile("three.jpg", third as Buffer),
  ];
});

afterAll(async () => {
  await ada?.close();
  await guest?.close();
  await app?.stop();
});

async function publish(some: PickedFile[], caption: string, together: boolean): Promise<void> {
  const upload = new UploadPage(ada.page);
  await upload.open(app.url);
  await upload.input.setInputFiles(some);
  const choice = ada.page.getByTestId("together");
  await choice.waitFor();
  expect(await choice.getAttribute("aria-checked")).toBe("false");
  if (together) await choice.click();
  await takePicture(ada.page, `form-${together}`);
  await upload.upload([], { caption, tags: "sea" });
  await ada.page.waitForURL(`${app.url}/`);
}

test("files stay single media unless one says otherwise, and more than ten cannot be one post", async () => {
  await publish(files.slice(0, 2), "Apart", false);
  await expect
    .poll(async () => (await rowsWith("Apart")).map(({ post }) => post))
    .toEqual(["", ""]);
  const upload = new UploadPage(ada.page);
  await upload.open(app.url);
  const choice = ada.page.getByTestId("together");
  const photo = files[0] as PickedFile;
  await upload.input.setInputFiles([photo]);
  await upload.entries.first().waitFor();
  expect(await choice.count()).toBe(0);
  await upload.input.setInputFiles(Array.from({ length: 9 }, () => photo));
  await choice.click();
  expect(await choice.getAttribute("aria-checked")).toBe("true");
  await upload.input.setInputFiles([photo]);
  await expect.poll(() => choice.isDisabled()).toBe(true);
  expect(await choice.getAttribute("aria-checked")).toBe("false");
  // No post any more: each may have its own texts again.
  await ada.page.getByTestId("same-for-all").click();
  await ada.page.getByTestId("entry-caption").first().waitFor();
});

test("files posted together are one card, each a medium of its own on the server", async () => {
  await publish(files, "Holiday", true);
  const gallery = new GalleryPage(ada.page);
  await gallery.card("Holiday").waitFor();
  await expect.poll(async () => (await rowsWith("Holiday")).length).toBe(4);
  const rows = await rowsWith("Holiday");
  expect(new Set(rows.map(({ post }) => post)).size).toBe(1);
  expect(rows[0]?.post).toMatch(/^[a-z0-9]{15}$/);
  expect(rows.map(({ postIndex, type }) => [postIndex, type])).toEqual([
    [0, "photo"],
    [1, "photo"],
    [2, "video"],
    [3, "photo"],
  ]);
  await expect.poll(() => gallery.card("Holiday").count()).toBe(1);
  await expect.poll(() => mark(ada.page, "Holiday")).toBe("1/4");
  expect(await gallery.card("Apart").count()).toBe(2);
  await ada.page.getByTestId("card-post").waitFor();
  await takePicture(ada.page, "card-phone");
});

test("a card is swiped through by a finger, the arrow keys and the mouse, and tells of what is in view", async () => {
  const { page } = ada;
  const rows = await rowsWith("Holiday");
  const card = new GalleryPage(page).card("Holiday");
  const track = card.getByTestId("post-track");
  const box = await track.boundingBox();
  if (box === null) throw new Error("no track");
  const y = box.y + box.height / 2;
  await swipe(ada, { x: box.x + box.width * 0.9, y }, -box.width * 0.7);
  await expect.poll(() => mark(page, "Holiday")).toBe("2/4");
  expect(new URL(page.url()).pathname).toBe("/");
  await takePicture(page, "card-swiped");
  // A key's way counts also while the pictures still run on after the finger.
  await swipe(ada, { x: box.x + box.width * 0.1, y }, box.width * 0.7);
  await expect.poll(() => mark(page, "Holiday")).toBe("1/4");
  expect(await placeAtRest(track)).toBe(0);
  await track.focus();
  await swipe(ada, { x: box.x + box.width * 0.9, y }, -box.width * 0.7);
  await expect.poll(() => mark(page, "Holiday")).toBe("2/4");
  await page.keyboard.press("ArrowRight");
  expect(await placeAtRest(track)).toBe(2);
  await page.keyboard.press("ArrowLeft");
  expect(await placeAtRest(track)).toBe(1);
  for (const [key, place] of [
    ["ArrowRight", 3],
    ["ArrowLeft", 1],
  ] as const) {
    await page.keyboard.press(key);
    await page.keyboard.press(key);
    expect(await placeAtRest(track), `${key} twice`).toBe(place);
  }
  await card.getByTestId("like").click();
  await expect
    .poll(async () => (await rowsWith("Holiday")).map(({ likes }) => likes))
    .toEqual([0, 1, 0, 0]);
  await track.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => mark(page, "Holiday")).toBe("3/4");
  expect(await card.getByTestId("like").getAttribute("data-likes")).toBe("0");
  await page.keyboard.press("Enter");
  await new MediaPage(page).shows(rows[2]?.id ?? "");
  await page.goBack();
  await track.waitFor();

  const gallery = new GalleryPage(guest.page);
  await gallery.open(app.url);
  await gallery.untilLive();
  const theirs = gallery.card("Holiday");
  await expect.poll(() => mark(guest.page, "Holiday")).toBe("1/4");
  await theirs.getByTestId("card-post").hover();
  await takePicture(guest.page, "card-desktop");
  await theirs.getByTestId("post-next").click();
  await expect.poll(() => mark(guest.page, "Holiday")).toBe("2/4");
  await theirs.getByTestId("post-previous").click();
  await expect.poll(() => mark(guest.page, "Holiday")).toBe("1/4");
});

test("the page goes through the post first, then through the list, and each medium has its address", async () => {
  const { page } = guest;
  const rows = await rowsWith("Holiday");
  const media = new MediaPage(page);
  const gallery = new GalleryPage(page);
  await gallery.card("Holiday").getByTestId("post-slide").first().click();
  await media.shows(rows[0]?.id ?? "");
  const place = page.getByTestId("stage-place");
  await expect.poll(() => place.innerText()).toBe("1/4");
  await takePicture(page, "page-desktop");
  const before = await page.evaluate(() => history.length);
  for (const at of [1, 2, 3]) {
    await page.keyboard.press("ArrowRight");
    await media.shows(rows[at]?.id ?? "");
    await expect.poll(() => place.innerText()).toBe(`${at + 1}/4`);
    expect(new URL(page.url()).pathname).toBe(`/view/holiday-${rows[at]?.id}`);
  }
  expect(await page.evaluate(() => history.length)).toBe(before);
  expect(await page.getByTestId("post-place").textContent()).toBe("Photo 4 of 4");
  expect(await page.getByTestId("next").getAttribute("aria-label")).toBe("Next");
  expect(await page.getByTestId("previous").getAttribute("aria-label")).toBe(
    "Previous in this post",
  );
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => place.count()).toBe(0);
  expect(new URL(page.url()).pathname).toMatch(/^\/view\/apart-/);
  await page.keyboard.press("ArrowLeft");
  await media.shows(rows[3]?.id ?? "");
  await page.getByTestId("post-member").nth(1).click();
  await media.shows(rows[1]?.id ?? "");
  await page.getByTestId("full-screen").click();
  await page.keyboard.press("ArrowLeft");
  await media.shows(rows[0]?.id ?? "");
  expect(await media.stage.getAttribute("data-full")).toBe("true");
  expect(await place.innerText()).toBe("1/4");
  await page.keyboard.press("Escape");
  await media.back.click();
  await gallery.untilLive();
});

test("a link to any of its media brings the whole post, also to a device that has none of it", async () => {
  const rows = await rowsWith("Holiday");
  const stranger = await openProfile(PHONE);
  try {
    const media = new MediaPage(stranger.page);
    await media.open(app.url, `holiday-${rows[1]?.id}`);
    await media.shows(rows[1]?.id ?? "");
    await expect.poll(() => stranger.page.getByTestId("post-member").count()).toBe(4);
    await takePicture(stranger.page, "page-phone");
    // A finger on the picture steps through it, as through a list.
    const box = await media.stage.boundingBox();
    if (box === null) throw new Error("no stage");
    await swipe(stranger, { x: 300, y: box.y + box.height / 2 }, -160);
    await media.shows(rows[2]?.id ?? "");
  } finally {
    await stranger.close();
  }
});

test("a filter shows what fits of a post as one card", async () => {
  const { page } = guest;
  const rows = await rowsWith("Holiday");
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await gallery.filter("videos");
  await expect.poll(() => gallery.cards.count()).toBe(1);
  const film = gallery.card("Holiday");
  expect(await film.getByTestId("post-mark").count()).toBe(0);
  expect(await page.locator("li[data-media-id]").getAttribute("data-media-id")).toBe(rows[2]?.id);
  await gallery.filter("photos");
  await expect.poll(() => gallery.cards.count()).toBe(3);
  await expect.poll(() => mark(page, "Holiday")).toBe("1/3");
  await gallery.filter("all");
  await gallery.search.fill("holiday");
  await expect.poll(() => page.getByTestId("search-heading").innerText()).toContain("(1)");
  expect(await gallery.cards.count()).toBe(1);
  await gallery.search.fill("");
});

test("without a network the post is still one card, and its page shows what is on the device", async () => {
  const { page, context } = guest;
  const rows = await rowsWith("Holiday");
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await untilControlled(page);
  await context.setOffline(true);
  await page.reload();
  await gallery.untilLive();
  await expect.poll(() => mark(page, "Holiday")).toBe("1/4");
  const media = new MediaPage(page);
  await media.open(app.url, `holiday-${rows[3]?.id}`);
  await media.shows(rows[3]?.id ?? "");
  await expect.poll(() => page.getByTestId("post-member").count()).toBe(4);
  await page.keyboard.press("ArrowLeft");
  await media.shows(rows[2]?.id ?? "");
  await context.setOffline(false);
});

test("a new caption is the whole post's, a description that of one medium, also when queued", async () => {
  const { page, context } = ada;
  const rows = await rowsWith("Holiday");
  const media = new MediaPage(page);
  await media.open(app.url, `holiday-${rows[1]?.id}`);
  await media.shows(rows[1]?.id ?? "");
  await expect.poll(() => page.getByTestId("post-member").count()).toBe(4);
  await context.setOffline(true);
  await media.choose("edit-media");
  await page.getByTestId("edit-post").waitFor();
  await takePicture(page, "edit");
  await page.getByTestId("edit-caption").fill("Journey");
  await page.getByTestId("edit-alt").fill("A red hill");
  await page.getByTestId("save-edit").click();
  await page.getByTestId("edit-form").waitFor({ state: "detached" });
  await context.setOffline(false);
  await expect
    .poll(async () => (await rowsWith("Journey")).map(({ alt }) => alt))
    .toEqual(["", "A red hill", "", ""]);
  expect(await rowsWith("Holiday")).toEqual([]);
});

test("one medium can be deleted from a post, and a whole post after one question", async () => {
  const { page } = ada;
  const rows = await rowsWith("Journey");
  const media = new MediaPage(page);
  const gallery = new GalleryPage(page);
  await media.open(app.url, `journey-${rows[0]?.id}`);
  await media.shows(rows[0]?.id ?? "");
  await media.delete();
  await expect.poll(async () => (await rowsWith("Journey")).length).toBe(3);
  await gallery.open(app.url);
  await gallery.untilLive();
  await expect.poll(() => mark(page, "Journey")).toBe("1/3");
  expect(await gallery.card("Journey").count()).toBe(1);
  await gallery.card("Journey").getByTestId("post-slide").first().click();
  await media.shows(rows[1]?.id ?? "");
  await media.menu.click();
  await takePicture(page, "menu");
  await page.getByTestId("delete-post").click();
  await page.getByTestId("confirm").waitFor();
  await takePicture(page, "delete-post");
  await page.getByTestId("confirm").click();
  await expect.poll(async () => (await rowsWith("Journey")).length).toBe(0);
  await expect.poll(() => gallery.card("Journey").count()).toBe(0);
  expect(await gallery.card("Apart").count()).toBe(2);
  expect([...ada.errors, ...guest.errors]).toEqual([]);
});
