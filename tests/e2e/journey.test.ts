/**
 * The main job, end to end: a visitor signs up, uploads two photos and a video, loses the server, goes on looking
 * and uploading, gets it back, and everybody has the third photo, once.
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type App,
  type LastingProfile,
  openLastingProfile,
  openProfile,
  type Profile,
  startApp,
} from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { untilControlled } from "@tests/support/until-controlled";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { SignupPage } from "./pages/signup-page";
import { type PickedFile, UploadPage } from "./pages/upload-page";

const CLIP = fileURLToPath(new URL("../support/fixtures/clip.mp4", import.meta.url));

let app: App;
let author: LastingProfile;
let visitor: Profile;

beforeAll(async () => {
  app = await startApp();
  [author, visitor] = [
    await openLastingProfile({ viewport: { width: 390, height: 844 } }),
    await openProfile(),
  ];
});

afterAll(async () => {
  await Promise.allSettled([author?.close(), visitor?.close()]);
  await app?.stop();
});

const card = (page: Page, caption: string): Locator => new GalleryPage(page).card(caption);

/** Whether the picture of a card has really been painted, from wherever it came. */
const untilPictureShows = (page: Page, caption: string): Promise<unknown> =>
  card(page, caption)
    .locator("img")
    .first()
    .evaluate(async (img: HTMLImageElement) => {
      await img.decode();
      if (img.naturalWidth === 0) throw new Error("the picture is empty");
    });

async function upload(page: Page, files: PickedFile[], caption: string): Promise<void> {
  await new GalleryPage(page).uploadButton.click();
  await new UploadPage(page).upload(files, { caption, tags: "sea, Küste, 🌊" });
}

const rowsWith = async (
  caption: string,
): Promise<{ id: string; tags: string[]; type: string }[]> => {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  const answer = await app.api("GET", `/api/collections/media/records?filter=${filter}`);
  return answer.body.items;
};

test("a visitor signs up, shares photos and a video, and goes on without the network", async () => {
  const page = author.page;
  await visitor.page.goto(app.url);
  await page.goto(app.url);

  await page.getByRole("link", { name: "Sign up", exact: true }).first().click();
  const signup = new SignupPage(page);
  await signup.fill({ email: "ada@example.com", username: "ada.l", password: "Kirschkuchen-7" });
  await signup.submit.click();
  await page.getByText("Account created successfully!").first().waitFor();
  await page.waitForURL(`${app.url}/`);

  const clip = await readFile(CLIP);
  await upload(
    page,
    [
      { name: "one.jpg", mimeType: "image/jpeg", buffer: await drawPhoto(visitor.context, 20) },
      { name: "two.jpg", mimeType: "image/jpeg", buffer: await drawPhoto(visitor.context, 200) },
      { name: "clip.mp4", mimeType: "video/mp4", buffer: clip },
    ],
    "By the sea",
  );
  await page.getByText("Upload successful!").first().waitFor();
  await page.waitForURL(`${app.url}/`);

  const rows = await rowsWith("By the sea");
  expect(rows.map((row) => row.type).sort()).toEqual(["photo", "photo", "video"]);
  expect(rows[0]?.tags).toEqual(["sea", "Küste", "🌊"]);
  await card(page, "By the sea").nth(2).waitFor();
  const video = rows.find((row) => row.type === "video");
  await new GalleryPage(page).openMedia("By the sea");
  await page.getByText("By the sea").first().waitFor();
  await page.goBack();
  await card(visitor.page, "By the sea").nth(2).waitFor();

  await untilControlled(page);
  await app.stop();
  await page.reload();
  await card(page, "By the sea").nth(2).waitFor();
  await untilPictureShows(page, "By the sea");

  await page.goto(`${app.url}/view/by-the-sea-${video?.id}`);
  const player = new MediaPage(page).video;
  await player.waitFor();
  const seeking = await player.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
    element.pause();
    const seeked = new Promise((resolve, reject) => {
      element.addEventListener("seeked", resolve, { once: true });
      element.addEventListener("error", reject, { once: true });
    });
    element.currentTime = 6;
    await seeked;
    return { at: element.currentTime, duration: element.duration, width: element.videoWidth };
  });
  expect(seeking).toMatchObject({ at: 6, width: 320 });
  expect(seeking.duration).toBeCloseTo(8, 0);

  await page.goto(app.url);
  await upload(
    page,
    [
      {
        name: "three.jpg",
        mimeType: "image/jpeg",
        buffer: await drawPhoto(visitor.context, 300),
      },
    ],
    "From the tunnel",
  );
  await page.waitForURL(`${app.url}/`);
  const mark = new GalleryPage(page).pendingMark("From the tunnel");
  await mark.waitFor();
  await page.reload();
  await mark.waitFor();
  await author.reopen();
  const again = author.page;
  await again.goto(app.url);
  const markAgain = new GalleryPage(again).pendingMark("From the tunnel");
  await markAgain.waitFor();
  await untilPictureShows(again, "From the tunnel");

  await app.restart();
  await card(visitor.page, "From the tunnel").waitFor();
  await untilPictureShows(visitor.page, "From the tunnel");
  await markAgain.waitFor({ state: "detached" });
  await expect(rowsWith("From the tunnel")).resolves.toHaveLength(1);
  await expect(card(again, "From the tunnel").count()).resolves.toBe(1);
  expect(author.errors).toEqual([]);
  expect(visitor.errors).toEqual([]);
});
