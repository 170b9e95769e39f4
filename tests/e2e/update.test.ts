/** A new version while the app is open: it is offered, never forced, and does not reload over text that was not sent. */

import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DIST_DIR } from "@scripts/checkout.mjs";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { temporaryFolder } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const folder = path.join(temporaryFolder(), "dist");
let app: App;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  app = await startApp({ publicDir: folder });
  await cp(DIST_DIR, folder, { recursive: true });
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  const signup = new SignupPage(page);
  await signup.open(app.url);
  await signup.signUp({ email: "ada@example.com", username: "ada.l", password: "Kirschkuchen-7" });
  await untilControlled(page);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

/** Puts another build on the server: a page that tells its version, and the worker that belongs to it. */
async function deploy(version: string): Promise<void> {
  const change = async (name: string, from: RegExp, to: string) => {
    const file = path.join(folder, name);
    const text = await readFile(file, "utf8");
    expect(text).toMatch(from);
    await writeFile(file, text.replace(from, to));
  };
  await change("index.html", /<head>/, `<head><meta name="build" content="${version}">`);
  await change(
    "sw.js",
    /"revision":"[^"]*","url":"index\.html"/,
    `"revision":"${version}","url":"index.html"`,
  );
  // The app looks by itself every hour, and the browser at every start.
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
}

const build = () => page.locator('meta[name="build"]').getAttribute("content", { timeout: 5_000 });
const prompt = () => page.getByTestId("update-prompt");
const reload = () => page.getByTestId("update-now");

test("a new version waits for what is being written, and starts when asked, at the same address", async () => {
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const photo = await drawPhoto(profile.context, 30);
  await upload.input.setInputFiles([photoFile("photo.jpg", photo)]);
  await upload.caption.fill("Half a sentence");
  await deploy("second");
  await prompt().getByText("You are writing something.").waitFor();
  expect(await reload().isDisabled()).toBe(true);
  expect(await upload.caption.inputValue()).toBe("Half a sentence");
  await upload.entry("photo.jpg").getByTestId("remove-entry").click();
  await reload().and(page.locator(":enabled")).click();
  await page.locator('meta[name="build"]').waitFor({ state: "attached" });
  expect(await build()).toBe("second");
  expect(new URL(page.url()).pathname).toBe("/upload");
  await expect.poll(() => upload.caption.inputValue()).toBe("Half a sentence");
  expect(await prompt().count()).toBe(0);
});

test("'Later' leaves everything as it is, and the version comes with the next start", async () => {
  const upload = new UploadPage(page);
  await deploy("third");
  await prompt().getByRole("button", { name: "Later" }).click();
  await prompt().waitFor({ state: "detached" });
  expect(await build()).toBe("second");
  await page.reload();
  await reload().click();
  await page.locator('meta[name="build"][content="third"]').waitFor({ state: "attached" });
  await upload.submit.waitFor();
  expect(profile.errors).toEqual([]);
});
