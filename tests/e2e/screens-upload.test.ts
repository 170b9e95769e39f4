/** Uploading as a person meets it: what is refused and where, what waits, and what can be done about either. */

import { type App, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { sideways } from "@tests/support/look-at-page";
import { mediaFixture } from "@tests/support/media-fixtures";
import { noisePng } from "@tests/support/noise-png";
import { untilControlled } from "@tests/support/until-controlled";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda, rowsWith } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MB = 1_048_576;
let app: App;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  profile = await openAsAda(app);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

type Texts = { caption: string; tags: string[]; alt: string };

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);

test("nothing chosen and rights not confirmed are said, and files that will not do are named at the file", async () => {
  const { page, context } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  await upload.submit.click();
  const nothing = page.getByText("No file selected");
  await nothing.waitFor();
  const head = page.getByText("No files selected", { exact: true });
  expect(await head.evaluate((element) => element.tagName)).toBe("B");
  await expect.poll(() => hasFocus(upload.input)).toBe(true);
  expect(await page.getByTestId("toast").count()).toBe(0);
  await upload.input.setInputFiles([
    photoFile("photo-10.jpg", await drawPhoto(context, 10)),
    {
      name: "page.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    },
    { name: "empty.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(0) },
  ]);
  await nothing.waitFor({ state: "detached" });
  const others = upload.error("page.svg");
  await others.getByText("Only photos and videos can be uploaded. Photos: JPEG, PNG").waitFor();
  await others.getByText("Videos: MP4, M4V, MOV, WebM or 3GP").waitFor();
  await upload.error("empty.jpg").getByText("This file is empty").waitFor();
  await upload.entry("empty.jpg").getByText("0.00 MB", { exact: true }).waitFor();
  await upload.entry("page.svg").getByText("< 0.01 MB", { exact: true }).waitFor();
  await upload.submit.click();
  await page.getByText("Terms not accepted").waitFor();
  expect(await page.getByTestId("toast").count()).toBe(0);
  const [terms] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "terms and conditions" }).click(),
  ]);
  await terms.getByTestId("legal-terms").waitFor();
  await terms.close();
  await upload.entry("page.svg").getByTestId("remove-entry").click();
  await upload.entry("page.svg").waitFor({ state: "detached" });
  await upload.caption.fill("x".repeat(2201));
  await page.getByText("1 character over the limit").waitFor();
});

test("a tag that was written twice is said while typing", async () => {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  await upload.tags.fill("sea, sand, sea");
  await profile.page.getByText("Already there: sea. Each tag counts once.").waitFor();
  await upload.tags.fill("sea, sand");
  await profile.page.getByText("Already there").waitFor({ state: "detached" });
});

test("a long name and a photo that is too large widen no phone", async () => {
  const { page } = profile;
  const upload = new UploadPage(page);
  const name = `${"a-very-long-name-".repeat(8)}.png`;
  const buffer = noisePng(1500, 1400);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await upload.open(app.url);
    await upload.input.setInputFiles([{ name, mimeType: "image/png", buffer }]);
    const shrink = upload.entry(name).getByTestId("shrink");
    await shrink.waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    const [outer, inner] = [await upload.entry(name).boundingBox(), await shrink.boundingBox()];
    const end = (box: typeof outer) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(end(inner)).toBeLessThanOrEqual(end(outer));
    expect(end(outer)).toBeLessThanOrEqual(width);
    const shown = upload.entry(name).getByText(name, { exact: true });
    const hidden = await shown.evaluate(({ parentElement: line }) =>
      line === null ? 1 : line.scrollWidth - line.clientWidth,
    );
    expect(hidden).toBe(0);
  }
  await page.setViewportSize({ width: 390, height: 844 });
});

test("a description is asked for at each file, and says what a picture shows in the grid", async () => {
  const { page, context } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const file = photoFile("photo-70.jpg", await drawPhoto(context, 70));
  await upload.input.setInputFiles([file]);
  await page.getByLabel("Description of photo-70.jpg").fill("A yellow disc on a dark field");
  await upload.upload([], { caption: "Seen and told" });
  await page.waitForURL(`${app.url}/`);
  const card = new GalleryPage(page).card("Seen and told");
  await card.getByRole("img", { name: "A yellow disc on a dark field" }).waitFor();
  await card.getByRole("link", { name: /A yellow disc on a dark field/ }).waitFor();
});

test("nothing moves from under a finger while a chosen file is looked at", async () => {
  const { page, context } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const file = photoFile("still.jpg", await drawPhoto(context, 61));
  // At each change of the page, from the moment in which the file is in the list.
  const seen = page.evaluate(
    () =>
      new Promise<[state: string, top: number][]>((resolve) => {
        const all: [string, number][] = [];
        const look = () => {
          const entry = document.querySelector<HTMLElement>('[data-testid="upload-entry"]');
          const box = document.querySelector('[data-testid="rights"]')?.getBoundingClientRect();
          const state = entry?.dataset["state"];
          if (state === undefined || box === undefined) return;
          all.push([state, Math.round(box.top + window.scrollY)]);
          if (state === "ready") resolve(all);
        };
        new MutationObserver(look).observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
        });
      }),
  );
  await upload.input.setInputFiles([file]);
  const all = await seen;
  expect(all.map(([state]) => state)).toContain("checking");
  expect(new Set(all.map(([, top]) => top)).size).toBe(1);
});

test("each file has its own caption, tags and description once they are not the same for all", async () => {
  const { page, context } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const photo = async (at: number) => photoFile(`${at}.jpg`, await drawPhoto(context, at));
  await upload.input.setInputFiles([await photo(81)]);
  await upload.entry("81.jpg").getByText("Describe this picture for people").waitFor();
  expect(await upload.sameForAll.count()).toBe(0);
  await upload.input.setInputFiles([await photo(82), await photo(83)]);
  expect(await upload.sameForAll.isChecked()).toBe(true);
  await upload.caption.fill("Three by the sea");
  await upload.tags.fill("sea");
  await upload.sameForAll.click();
  await upload.caption.waitFor({ state: "detached" });
  await expect.poll(() => upload.field("83.jpg", "caption").inputValue()).toBe("Three by the sea");
  await upload.field("81.jpg", "caption").fill("The first");
  await upload.field("82.jpg", "tags").fill("boat, sail");
  await upload.field("82.jpg", "alt").fill("A boat");
  await upload.field("83.jpg", "alt").fill("x".repeat(1001));
  await upload.rights.check();
  await upload.submit.click();
  await upload
    .entry("83.jpg")
    .getByText("The description is too long (max. 1,000 characters)")
    .waitFor();
  await expect.poll(() => hasFocus(upload.field("83.jpg", "alt"))).toBe(true);
  await upload.field("83.jpg", "caption").fill("x".repeat(2201));
  await upload.field("83.jpg", "alt").fill("A gull");
  await upload.submit.click();
  await upload.entry("83.jpg").getByText("The caption is too long").waitFor();
  await expect.poll(() => hasFocus(upload.field("83.jpg", "caption"))).toBe(true);
  await upload.field("83.jpg", "caption").fill("");
  await upload.submit.click();
  await page.waitForURL(`${app.url}/`);
  const texts = async (name: string) => {
    const filter = encodeURIComponent(`originalFilename = '${name}'`);
    const { body } = await app.api("GET", `/api/collections/media/records?filter=${filter}`);
    return body.items.map(({ caption, tags, alt }: Texts) => ({ caption, tags, alt }));
  };
  expect(await texts("81.jpg")).toEqual([{ caption: "The first", tags: ["sea"], alt: "" }]);
  expect(await texts("82.jpg")).toEqual([
    { caption: "Three by the sea", tags: ["boat", "sail"], alt: "A boat" },
  ]);
  expect(await texts("83.jpg")).toEqual([{ caption: "", tags: ["sea"], alt: "A gull" }]);
});

test("files are put in order by keys, buttons and dragging, and arrive in that order, also from a queue", async () => {
  const { page, context } = profile;
  await page.setViewportSize({ width: 1280, height: 800 });
  const upload = new UploadPage(page);
  await upload.open(app.url);
  await untilControlled(page);
  const photo = async (name: string, at: number) => photoFile(name, await drawPhoto(context, at));
  const film = {
    name: "b.webm",
    mimeType: "video/webm",
    buffer: Buffer.from(mediaFixture("video.webm")),
  };
  await upload.input.setInputFiles([await photo("a.jpg", 91)]);
  await upload.entry("a.jpg").getByText("Ready").waitFor();
  expect(await page.getByTestId("move-entry").count()).toBe(0);
  await upload.input.setInputFiles([film, await photo("c.jpg", 93), await photo("d.jpg", 94)]);
  await expect.poll(() => upload.order()).toEqual(["a.jpg", "b.webm", "c.jpg", "d.jpg"]);
  const said = page.getByTestId("moved");

  const handle = upload.entry("a.jpg").getByTestId("move-entry");
  await handle.focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => said.textContent()).toBe("a.jpg: now 2 of 4");
  expect(await hasFocus(handle)).toBe(true);
  await page.keyboard.press("End");
  await expect.poll(() => upload.order()).toEqual(["b.webm", "c.jpg", "d.jpg", "a.jpg"]);
  expect(await hasFocus(handle)).toBe(true);
  await page.keyboard.press("ArrowDown");
  await upload.entry("d.jpg").getByTestId("move-earlier").click();
  await expect.poll(() => upload.order()).toEqual(["b.webm", "d.jpg", "c.jpg", "a.jpg"]);
  await expect.poll(() => said.textContent()).toBe("d.jpg: now 2 of 4");
  await upload.entry("d.jpg").getByText("2 of 4").waitFor();
  await upload.drag("a.jpg", "b.webm");
  await upload.entry("a.jpg").getByText("1 of 4").waitFor();
  await page.keyboard.press("Escape");
  await upload.entry("a.jpg").getByText("4 of 4").waitFor();
  await page.mouse.up();
  expect(await upload.order()).toEqual(["b.webm", "d.jpg", "c.jpg", "a.jpg"]);
  await upload.drag("c.jpg", "d.jpg");
  await page.mouse.up();
  await expect.poll(() => upload.order()).toEqual(["b.webm", "c.jpg", "d.jpg", "a.jpg"]);
  await expect.poll(() => said.textContent()).toBe("c.jpg: now 2 of 4");

  await app.stop();
  await upload.upload([], { caption: "In order" });
  await page.getByText("Waiting for a connection").first().waitFor();
  await app.restart();
  const filter = encodeURIComponent("caption = 'In order'");
  const list = `/api/collections/media/records?sort=createdAt&filter=${filter}`;
  const arrived = async (): Promise<string[]> =>
    (await app.api("GET", list)).body.items.map(
      ({ originalFilename }: { originalFilename: string }) => originalFilename,
    );
  await expect.poll(arrived).toEqual(["b.webm", "c.jpg", "d.jpg", "a.jpg"]);
  await page.setViewportSize({ width: 390, height: 844 });
});

test("what is said of a deleted video speaks of a video", async () => {
  const { page } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const buffer = Buffer.from(mediaFixture("video.webm"));
  const film = { name: "film.webm", mimeType: "video/webm", buffer };
  await upload.upload([film], { caption: "A short film" });
  await page.waitForURL(`${app.url}/`);
  await new GalleryPage(page).openMedia("A short film");
  const media = new MediaPage(page);
  await media.choose("delete-media");
  await page.getByText("Really delete video?").waitFor();
  await page.getByTestId("confirm").click();
  await page.getByText("Video deleted successfully").first().waitFor();
});

test("a toast is reached with F8 and swept away to the right from 50 px on", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/profile?tab=settings`);
  await page.getByTestId("clear-cache").click();
  const toast = page.getByTestId("toast");
  await toast.waitFor();
  await page.keyboard.press("F8");
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[role="region"]') !== null);
  await expect.poll(focused).toBe(true);
  const sweep = async (pixels: number) => {
    const box = await toast.boundingBox();
    if (box === null) throw new Error("the toast has gone");
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels / 2, y);
    await page.mouse.move(x + pixels, y);
    await page.mouse.up();
  };
  await sweep(40);
  expect(await toast.isVisible()).toBe(true);
  await sweep(80);
  await toast.waitFor({ state: "detached" });
});

test("a photo over 5 MB is refused beside a button that makes it fit, and is sent once it does", async () => {
  const { page } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const noise = { name: "noise.png", mimeType: "image/png", buffer: noisePng(1500, 1400) };
  expect(noise.buffer.length).toBeGreaterThan(5 * MB);
  await upload.input.setInputFiles([noise]);
  await upload.error("noise.png").getByText("Image is too large (max. 5MB)").waitFor();
  await upload.entry("noise.png").getByTestId("shrink").click();
  await page.locator('[data-testid="upload-entry"][data-state="ready"]').waitFor();
  await upload.caption.fill("Noise, smaller");
  await upload.rights.check();
  await upload.submit.click();
  await page.getByText("✓ Uploaded successfully").waitFor();
  await page.getByText("Upload successful!").first().waitFor();
  await page.waitForURL(`${app.url}/`);
  const [row] = await rowsWith(app, "Noise, smaller");
  expect(row?.fileSize).toBeLessThanOrEqual(5 * MB);
});

test("without a server an upload is queued, is listed in the outbox, holds back a sign-out, and goes by itself later", async () => {
  const { page, context } = profile;
  const gallery = new GalleryPage(page);
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const file = photoFile("photo-300.jpg", await drawPhoto(context, 300));
  await untilControlled(page);
  await app.stop();
  await upload.upload([file], { caption: "From the tunnel" });
  await page.getByText("Waiting for a connection").first().waitFor();
  await page.waitForURL(`${app.url}/`);
  await gallery.pendingMark("From the tunnel").waitFor();
  expect(await gallery.waitingMark.getAttribute("data-waiting")).toBe("1");
  const outbox = await gallery.openOutbox();
  await outbox.item("From the tunnel").waitFor();
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("sign-out-dialog").waitFor();
  await page.keyboard.press("Escape");
  await app.restart();
  await outbox.empty.waitFor();
  await gallery.waitingMark.waitFor({ state: "detached" });
  expect(await rowsWith(app, "From the tunnel")).toHaveLength(1);
});

test("one's own photo is deleted after the question, and the page goes back", async () => {
  const { page } = profile;
  const gallery = new GalleryPage(page);
  await page.goto(app.url);
  await gallery.openMedia("From the tunnel");
  const media = new MediaPage(page);
  await media.detail.waitFor();
  await media.choose("delete-media");
  await page.getByText("Really delete photo?").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => hasFocus(media.menu)).toBe(true);
  expect(await rowsWith(app, "From the tunnel")).toHaveLength(1);
  await media.delete();
  await page.getByText("Photo deleted successfully").first().waitFor();
  await page.waitForURL(`${app.url}/`);
  await gallery.card("From the tunnel").waitFor({ state: "detached" });
  await expect.poll(() => rowsWith(app, "From the tunnel")).toHaveLength(0);
});

test("an address of nothing leads home", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/view/nothing-aaaaaaaaaaaaaaa`);
  await page.waitForURL(`${app.url}/`);
});
