/** Files larger than the limits: what fits without what is taken out, what can be made smaller, and what cannot. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { bandScript, hugeJpeg } from "@tests/support/huge-jpeg";
import { mediaFixture } from "@tests/support/media-fixtures";
import { noisePng } from "@tests/support/noise-png";
import { temporaryFolder } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda, rowsWith } from "./pages/ada";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MB = 1_048_576;
let app: App;
let profile: Profile;
let upload: UploadPage;
let folder: string;

beforeAll(async () => {
  app = await startApp();
  folder = mkdtempSync(join(temporaryFolder(), "large-"));
  profile = await openAsAda(app);
  upload = new UploadPage(profile.page);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

interface Stored {
  fileSize: number;
  width: number;
  height: number;
}

/** As phones make them: width, and height in bands of 64. */
const MILLIONS_108 = [12_000, 141] as const;
const MILLIONS_200 = [16_320, 191] as const;

/** A JPEG on the disk: Playwright hands over no more than 50 MB of bytes. */
async function phonePhoto(
  name: string,
  noise: number,
  [width, bands]: readonly [number, number] = MILLIONS_108,
): Promise<string> {
  const path = join(folder, name);
  const band = await profile.page.evaluate<string>(bandScript(width, noise));
  writeFileSync(path, hugeJpeg(band, bands));
  return path;
}

test("a motion photo of 7 MB whose picture is small is sent as it is, without its film", async () => {
  const picture = Buffer.from(mediaFixture("photo.jpg"));
  const motion = photoFile("motion.jpg", Buffer.concat([picture, Buffer.alloc(7 * MB, 1)]));
  await upload.open(app.url);
  await upload.input.setInputFiles([motion]);
  await upload.entry("motion.jpg").getByTestId("entry-ready").waitFor();
  expect(await upload.entry("motion.jpg").getByTestId("shrink").count()).toBe(0);
  await upload.upload([], { caption: "It moved" });
  await profile.page.waitForURL(`${app.url}/`);
  const [row] = await rowsWith<Stored>(app, "It moved");
  expect(row?.fileSize).toBeLessThanOrEqual(picture.length);
  expect(row?.width).toBe(64);
});

test("a photo of 108 million pixels is offered to be shrunk, shows a small picture of itself, and is stored smaller", async () => {
  await upload.open(app.url);
  const path = await phonePhoto("phone.jpg", 60);
  await upload.input.setInputFiles([path]);
  const entry = upload.entry("phone.jpg");
  await upload.error("phone.jpg").getByText("Image is too large (max. 5MB)").waitFor();
  const shown = entry.locator("img");
  await shown.waitFor();
  expect(await shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(480);
  await entry.getByTestId("shrink").click();
  await upload.upload([], { caption: "A hundred million" });
  await profile.page.waitForURL(`${app.url}/`);
  const [row] = await rowsWith<Stored>(app, "A hundred million");
  expect(row).toMatchObject({ width: 2560, height: 1925 });
  expect(row?.fileSize).toBeLessThanOrEqual(5 * MB);
});

test("a photo of 200 million pixels is shrunk and stored, too", async () => {
  await upload.open(app.url);
  await upload.input.setInputFiles([await phonePhoto("sensor.jpg", 0, MILLIONS_200)]);
  const entry = upload.entry("sensor.jpg");
  await upload.error("sensor.jpg").getByText("Image has too many pixels").waitFor();
  await entry.getByTestId("shrink").click();
  await upload.upload([], { caption: "Two hundred million" });
  await profile.page.waitForURL(`${app.url}/`);
  const [row] = await rowsWith<Stored>(app, "Two hundred million");
  expect(row).toMatchObject({ width: 2560, height: 1917 });
});

test("too many pixels in few bytes are said as such, and shrunk by the keyboard alone", async () => {
  const { page } = profile;
  await upload.open(app.url);
  await upload.input.setInputFiles([await phonePhoto("flat.jpg", 0)]);
  const entry = upload.entry("flat.jpg");
  await upload.error("flat.jpg").getByText("Image has too many pixels (max. 64 million)").waitFor();
  await entry.getByTestId("shrink").focus();
  await page.keyboard.press("Enter");
  await entry.getByTestId("entry-ready").waitFor();
});

test("several are shrunk by one button, which needs at least two", async () => {
  const { page } = profile;
  await upload.open(app.url);
  const png = (name: string) => ({
    name,
    mimeType: "image/png",
    buffer: noisePng(1500, 1400),
  });
  const all = page.getByTestId("shrink-all");
  await upload.input.setInputFiles([png("one.png")]);
  await upload.entry("one.png").getByTestId("shrink").waitFor();
  expect(await all.count()).toBe(0);
  await upload.input.setInputFiles([png("two.png"), png("three.png")]);
  await page.getByRole("button", { name: "Shrink all 3 photos" }).focus();
  await page.keyboard.press("Enter");
  await upload.upload([], { caption: "All of them" });
  await page.waitForURL(`${app.url}/`);
  const rows = await rowsWith<Stored>(app, "All of them");
  expect(rows.map(({ fileSize }) => fileSize <= 5 * MB)).toEqual([true, true, true]);
});

test("without a network a photo is shrunk, also on a device that never shrunk one", async () => {
  const other = await openProfile({ viewport: { width: 390, height: 844 } });
  const form = new UploadPage(other.page);
  try {
    const signup = new SignupPage(other.page);
    await signup.open(app.url);
    const eve = { email: "eve@example.com", username: "eve.l", password: "Kirschkuchen-7" };
    await signup.signUp(eve);
    await untilControlled(other.page);
    await other.context.setOffline(true);
    await form.open(app.url);
    const buffer = noisePng(1500, 1400);
    await form.input.setInputFiles([{ name: "one.png", mimeType: "image/png", buffer }]);
    const entry = form.entry("one.png");
    await entry.getByTestId("shrink").click();
    await entry.getByTestId("entry-ready").waitFor();
  } finally {
    await other.close();
  }
});

test("an animation says that it cannot be made smaller, and what fits", async () => {
  await upload.open(app.url);
  const still = Buffer.from(mediaFixture("animated.gif"));
  const moving = Buffer.from(mediaFixture("animated.gif"));
  const frames = moving.subarray(headLength(moving), moving.length - 1);
  const copies = Math.ceil((5 * MB) / frames.length) + 1;
  const heavy = Buffer.concat([
    still.subarray(0, headLength(still)),
    ...Array.from({ length: copies }, () => frames),
    Buffer.of(0x3b),
  ]);
  await upload.input.setInputFiles([{ name: "dance.gif", mimeType: "image/gif", buffer: heavy }]);
  await upload
    .error("dance.gif")
    .getByText("An animation can't be made smaller here. What fits: up to 5 MB")
    .waitFor();
  expect(await upload.entry("dance.gif").getByTestId("shrink").count()).toBe(0);
});

/** Of a GIF: its header, its screen and its table of colours. */
const headLength = (gif: Buffer): number => {
  const flags = gif[10] ?? 0;
  return 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
};
