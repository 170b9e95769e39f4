/** What the forms refuse, each with its text at its place, and that nothing of it is queued or stored. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { writeHugeVideo } from "@tests/support/huge-video";
import { mediaFixture } from "@tests/support/media-fixtures";
import { noisePng } from "@tests/support/noise-png";
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MB, VIDEO_MAX_BYTES } from "@/domain/limits";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { SignupPage } from "./pages/signup-page";
import { type PickedFile, UploadPage } from "./pages/upload-page";

const PASSWORD = "Kirschkuchen-7";

let app: App;
let browser: Profile;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "augenblick-files-"));
  app = await startApp();
  await signUp(app, { username: "Grace.H", email: "grace@example.com", password: PASSWORD });
  browser = await openProfile({ viewport: { width: 390, height: 844 } });
});

afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await rm(folder, { recursive: true, force: true });
});

const mediaCount = async (): Promise<number> =>
  (await app.api("GET", "/api/collections/media/records?perPage=500")).body.items.length;

const picked = (name: string, mimeType: string, bytes: Uint8Array): PickedFile => ({
  name,
  mimeType,
  buffer: Buffer.from(bytes),
});

describe("sign-up", () => {
  const cases: [name: string, username: string, text: string][] = [
    ["nothing", "", "Username is required"],
    ["two characters", "ab", "Username must be at least 3 characters long"],
    ["a space", "ada l", "Username cannot contain spaces"],
    [
      "HTML",
      "<b>ada</b>",
      "Username can only contain letters, numbers, dots, hyphens and underscores",
    ],
    ["a taken one in other case", "gRACE.h", "This username is already taken"],
  ];
  test.each(cases)("refuses %s as a username", async (_name, username, text) => {
    const signup = new SignupPage(browser.page);
    await signup.open(app.url);
    await signup.fill({ email: "new@example.com", username, password: PASSWORD });
    await signup.submit.click();
    await browser.page.getByText(text).first().waitFor();
    const people = await app.api("GET", "/api/collections/profiles/records?perPage=2");
    expect(people.body.items).toHaveLength(1);
  });

  test("refuses weak, unequal and missing input, each at its field", async () => {
    const signup = new SignupPage(browser.page);
    await signup.open(app.url);
    await signup.fill({ email: "no-address", username: "ada.l", password: "aaaaaaaa" });
    await signup.confirmation.fill("something else");
    await signup.terms.uncheck();
    await signup.submit.click();
    for (const text of [
      "Please enter a valid email address",
      "Schwaches Passwort. Verwenden Sie Groß- und Kleinbuchstaben, Zahlen und Sonderzeichen",
      "Passwords do not match",
      "You must accept the terms and conditions",
    ]) {
      await browser.page.getByText(text, { exact: true }).first().waitFor();
    }
  });

  test("says that an address is in use", async () => {
    const signup = new SignupPage(browser.page);
    await signup.open(app.url);
    await signup.fill({ email: "GRACE@example.com", username: "ada.l", password: PASSWORD });
    await signup.submit.click();
    await browser.page.getByText("This email address is already registered").first().waitFor();
  });
});

describe("sign-in", () => {
  const cases: [name: string, email: string, password: string, text: string][] = [
    ["nothing", "", "", "Email is required"],
    ["an unknown address", "nobody@example.com", "x", "No account found with this email address"],
    ["a wrong password", "grace@example.com", "wrong", "Incorrect password"],
  ];
  test.each(cases)("refuses %s with its own text", async (_name, email, password, text) => {
    const login = new LoginPage(browser.page);
    await login.open(app.url);
    await login.signIn(email, password);
    await browser.page.getByText(text, { exact: true }).first().waitFor();
  });

  test("says 'Too many attempts' when the account's limit is reached", async () => {
    await signUp(app, { username: "lin.c", email: "lin@example.com", password: PASSWORD });
    const login = new LoginPage(browser.page);
    await login.open(app.url);
    const wrong = { identity: "lin@example.com", password: "wrong" };
    for (let i = 0; i < 10; i++) {
      await app.api("POST", "/api/collections/users/auth-with-password", wrong);
    }
    await login.signIn("lin@example.com", PASSWORD);
    await browser.page.getByText("Too many attempts", { exact: true }).first().waitFor();
    await browser.page.getByText("Please wait a moment before trying again.").first().waitFor();
  });
});

describe("upload", () => {
  beforeAll(async () => {
    await new LoginPage(browser.page).enter(app.url, {
      email: "grace@example.com",
      password: PASSWORD,
    });
  });

  const png = mediaFixture("photo.png");
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const html = new TextEncoder().encode("<!doctype html><script>alert(1)</script>");
  const cases: [name: string, file: PickedFile, text: string][] = [
    ["an SVG", picked("a.svg", "image/svg+xml", svg), "Only photos and videos can be uploaded"],
    [
      "HTML called .jpg",
      picked("b.jpg", "image/jpeg", html),
      "Only photos and videos can be uploaded",
    ],
    ["an empty file", picked("c.jpg", "image/jpeg", new Uint8Array()), "This file is empty"],
    [
      "half a photo",
      picked("d.png", "image/png", png.subarray(0, png.length >> 1)),
      "This file is damaged and can't be opened",
    ],
  ];
  test.each(cases)("refuses %s beside the file", async (_name, file, text) => {
    const upload = new UploadPage(browser.page);
    await upload.open(app.url);
    await upload.upload([file], { caption: "refused" });
    await upload.error(file.name).getByText(text).waitFor();
    await expect(mediaCount()).resolves.toBe(0);
    await expect(new GalleryPage(browser.page).waitingMark.count()).resolves.toBe(0);
  });

  test("refuses a video of one byte too many", async () => {
    const upload = new UploadPage(browser.page);
    await upload.open(app.url);
    const film = join(folder, "long.mp4");
    await writeHugeVideo(browser.context, film, { bytes: VIDEO_MAX_BYTES + 1, seconds: 60 });
    await upload.input.setInputFiles(film);
    await upload.error("long.mp4").getByText("Video is too large (max. 200MB)").waitFor();
  });

  test("asks for files, rights and a caption that fits, and queues nothing without them", async () => {
    const upload = new UploadPage(browser.page);
    await upload.open(app.url);
    await upload.caption.fill("x".repeat(10_000));
    await upload.submit.click();
    await browser.page.getByText("No file selected").first().waitFor();
    await browser.page.getByText("Please accept the terms and conditions.").first().waitFor();
    await browser.page.getByText("The caption is too long (max. 2,200 characters)").waitFor();
    await expect(mediaCount()).resolves.toBe(0);
  });

  test("shrinks a photo of more than 5 MB when asked to, and sends that", async () => {
    const upload = new UploadPage(browser.page);
    await upload.open(app.url);
    const file = picked("noise.png", "image/png", noisePng(2600, 1301));
    expect(file.buffer.length).toBeGreaterThan(5 * MB);
    await upload.input.setInputFiles([file]);
    await upload.error("noise.png").getByText("Image is too large (max. 5MB)").waitFor();
    await upload.entry("noise.png").getByTestId("shrink").click();
    await upload.entry("noise.png").getByText("Ready").waitFor();
    await upload.rights.check();
    await upload.caption.fill("made smaller");
    await upload.submit.click();
    await browser.page.getByText("Upload successful!").first().waitFor();
    const filter = encodeURIComponent("caption = 'made smaller'");
    const { body } = await app.api("GET", `/api/collections/media/records?filter=${filter}`);
    expect(body.items).toHaveLength(1);
    expect(body.items[0].fileSize).toBeLessThanOrEqual(5 * MB);
    // Of 1280.98.
    expect(body.items[0]).toMatchObject({ width: 2560, height: 1281 });
    // Lighter than the JPEG that waited on the device.
    expect(body.items[0].preview).toMatch(/\.webp$/);
  });

  test("stores a GIF named .js as .gif", async () => {
    const upload = new UploadPage(browser.page);
    await upload.open(app.url);
    const gif = picked("evil.js", "text/javascript", mediaFixture("photo.gif"));
    await upload.upload([gif], { caption: "a moving picture" });
    await browser.page.getByText("Upload successful!").first().waitFor();
    const filter = encodeURIComponent("caption = 'a moving picture'");
    const { body } = await app.api("GET", `/api/collections/media/records?filter=${filter}`);
    expect(body.items[0]).toMatchObject({ contentType: "image/gif", originalFilename: "evil.js" });
    expect(body.items[0].file).toMatch(/\.gif$/);
  });

  test("takes sixty files at once and sends each once", async () => {
    const before = await mediaCount();
    const upload = new UploadPage(browser.page);
    await upload.open(app.url);
    const files: PickedFile[] = [];
    for (let i = 0; i < 60; i++) {
      const buffer = await drawPhoto(browser.context, i * 6);
      files.push({ name: `${i}.jpg`, mimeType: "image/jpeg", buffer });
    }
    await upload.upload(files, { caption: "one of sixty" });
    await browser.page.getByText("Upload successful!").first().waitFor();
    await expect(mediaCount()).resolves.toBe(before + 60);
  });
});
