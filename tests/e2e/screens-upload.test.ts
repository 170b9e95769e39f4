/** Uploading as a person meets it: what is refused and where, what waits, and what can be done about either. */

import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { noisePng } from "@tests/support/noise-png";
import { untilControlled } from "@tests/support/until-controlled";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MINUTE = 60_000;
const MB = 1_048_576;
let app: App;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  profile.page.on("dialog", (dialog) => void dialog.accept());
  const signup = new SignupPage(profile.page);
  await signup.open(app.url);
  await signup.signUp({ email: "ada@example.com", username: "ada.l", password: "Kirschkuchen-7" });
}, 5 * MINUTE);

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const rowsWith = async (caption: string): Promise<{ id: string; fileSize: number }[]> => {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  return (await app.api("GET", `/api/collections/media/records?filter=${filter}`)).body.items;
};

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);

test("nothing chosen and rights not confirmed are said, and files that will not do are named at the file", async () => {
  const { page, context } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  await upload.submit.click();
  await page.getByText("No files selected").first().waitFor();
  await expect.poll(() => hasFocus(upload.input)).toBe(true);
  await upload.input.setInputFiles([
    photoFile("photo-10.jpg", await drawPhoto(context, 10)),
    {
      name: "page.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    },
    { name: "empty.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(0) },
  ]);
  await upload.error("page.svg").getByText("Only photos and videos can be uploaded").waitFor();
  await upload.error("empty.jpg").getByText("This file is empty").waitFor();
  await upload.entry("empty.jpg").getByText("0.00 MB", { exact: true }).waitFor();
  await upload.entry("page.svg").getByText("< 0.01 MB", { exact: true }).waitFor();
  await upload.submit.click();
  await page.getByText("Terms not accepted").first().waitFor();
  await upload.entry("page.svg").getByTestId("remove-entry").click();
  await upload.entry("page.svg").waitFor({ state: "detached" });
  await upload.caption.fill("x".repeat(2201));
  await page.getByText("1 character too many").waitFor();
});

test("a toast is reached with F8 and swept away to the right from 50 px on", async () => {
  const { page } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  await upload.submit.click();
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
  await toast.waitFor({ state: "detached", timeout: 3_000 });
});

test(
  "a photo over 5 MB is refused beside a button that makes it fit, and is sent once it does",
  async () => {
    const { page } = profile;
    const upload = new UploadPage(page);
    await upload.open(app.url);
    const noise = { name: "noise.png", mimeType: "image/png", buffer: noisePng(1500, 1400) };
    expect(noise.buffer.length).toBeGreaterThan(5 * MB);
    await upload.input.setInputFiles([noise]);
    await upload.error("noise.png").getByText("Image is too large (max. 5MB)").waitFor();
    await upload.entry("noise.png").getByTestId("shrink").click();
    await page
      .locator('[data-testid="upload-entry"][data-state="ready"]')
      .waitFor({ timeout: MINUTE });
    await upload.caption.fill("Noise, smaller");
    await upload.rights.check();
    await upload.submit.click();
    await page.getByText("✓ Uploaded successfully").waitFor({ timeout: MINUTE });
    await page.getByText("Upload successful!").first().waitFor();
    await page.waitForURL(`${app.url}/`);
    const [row] = await rowsWith("Noise, smaller");
    expect(row?.fileSize).toBeLessThanOrEqual(5 * MB);
  },
  3 * MINUTE,
);

test(
  "without a server an upload is queued, is listed in the outbox, holds back a sign-out, and goes by itself later",
  async () => {
    const { page, context } = profile;
    const gallery = new GalleryPage(page);
    const upload = new UploadPage(page);
    await upload.open(app.url);
    const file = photoFile("photo-300.jpg", await drawPhoto(context, 300));
    await untilControlled(page);
    await app.stop();
    await upload.upload([file], { caption: "From the tunnel" });
    await page.getByText("Waiting for a connection").first().waitFor({ timeout: MINUTE });
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
    await outbox.empty.waitFor({ timeout: MINUTE });
    await gallery.waitingMark.waitFor({ state: "detached", timeout: MINUTE });
    expect(await rowsWith("From the tunnel")).toHaveLength(1);
  },
  3 * MINUTE,
);

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
  expect(await rowsWith("From the tunnel")).toHaveLength(1);
  await media.delete();
  await page.getByText("Photo deleted successfully").first().waitFor();
  await page.waitForURL(`${app.url}/`);
  await gallery.card("From the tunnel").waitFor({ state: "detached" });
  await expect.poll(() => rowsWith("From the tunnel")).toHaveLength(0);
});

test("an address of nothing leads home", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/view/nothing-aaaaaaaaaaaaaaa`);
  await page.waitForURL(`${app.url}/`);
});
