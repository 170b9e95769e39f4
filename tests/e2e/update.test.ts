/** A new version while the app is open: it is offered, or taken when the app comes back, and does not reload over text that was not sent. */

import { cp, mkdtemp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { DIST_DIR } from "@scripts/checkout.mjs";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { lookAtScreen } from "@tests/support/look-at-screen";
import { temporaryFolder } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { MediaPage } from "./pages/media-page";
import { SignupPage } from "./pages/signup-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const folder = path.join(temporaryFolder(), "dist");
let app: App;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  app = await startApp({ publicDir: folder });
  await cp(DIST_DIR, folder, { recursive: true });
  profile = await openAsAda(app);
  page = profile.page;
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

/** Builds everything anew, as far as names go: every program file gets another one, in every file that asks for it. */
async function renameParts(mark: string): Promise<void> {
  const assets = path.join(folder, "assets");
  const parts = (await readdir(assets)).filter((name) => name.endsWith(".js"));
  const pages = ["index.html", "sw.js", ...parts.map((name) => `assets/${name}`)];
  const renamed = (name: string) => name.replace(/\.js$/, `${mark}.js`);
  for (const file of pages.map((name) => path.join(folder, name))) {
    let text = await readFile(file, "utf8");
    for (const name of parts) text = text.replaceAll(name, renamed(name));
    await writeFile(file, text);
  }
  for (const name of parts) await rename(path.join(assets, name), path.join(assets, renamed(name)));
}

const build = () => page.locator('meta[name="build"]').getAttribute("content");
const prompt = () => page.getByTestId("update-prompt");
const reload = () => page.getByTestId("update-now");

test("a new version waits for what is being written, and starts when asked, at the same address", async () => {
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const photo = await drawPhoto(profile.context, 30);
  await upload.input.setInputFiles([photoFile("photo.jpg", photo)]);
  await upload.caption.fill("Half a sentence");
  await deploy("second");
  await prompt().getByText("You're still writing something.").waitFor();
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
  await prompt().waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await lookAtScreen(page, { name: "update", variant: colorScheme })).toEqual([]);
  }
  await prompt().getByRole("button", { name: "Later" }).click();
  await prompt().waitFor({ state: "detached" });
  expect(await build()).toBe("second");
  await page.reload();
  await reload().click();
  await page.locator('meta[name="build"][content="third"]').waitFor({ state: "attached" });
  await upload.submit.waitFor();
  expect(profile.errors).toEqual([]);
});

test("a tab whose update another tab took reloads when asked", async () => {
  const other = await profile.context.newPage();
  await other.goto(`${app.url}/terms`);
  await other.getByTestId("back-home").waitFor();
  await page.bringToFront();
  await deploy("fourth");
  await other.getByTestId("update-now").waitFor();
  await reload().click();
  await page.locator('meta[name="build"][content="fourth"]').waitFor({ state: "attached" });
  await other.bringToFront();
  expect(await lookAtScreen(other, { name: "updated-elsewhere", variant: "light" })).toEqual([]);
  await other.getByTestId("update-now").click();
  await other.locator('meta[name="build"][content="fourth"]').waitFor({ state: "attached" });
  expect(new URL(other.url()).pathname).toBe("/terms");
  await other.close();
});

test("a tab that put it off is offered the reload again once another tab has taken the update", async () => {
  const other = await profile.context.newPage();
  await other.goto(`${app.url}/terms`);
  await other.getByTestId("back-home").waitFor();
  await deploy("fifth");
  await reload().waitFor();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const { port1, port2 } = new MessageChannel();
    const runs = new Promise((resolve) => port1.addEventListener("message", resolve));
    port1.start();
    registration?.active?.postMessage({ type: "LET_GO" }, [port2]);
    await runs;
    registration?.waiting?.postMessage({ type: "SKIP_WAITING" });
  });
  // This tab was opened before, and was told of the update by nobody but the worker that took over.
  await reload().click();
  await page.locator('meta[name="build"][content="fifth"]').waitFor({ state: "attached" });
  await other.close();
});

test("coming back from the background, the app takes the new version by itself, but not over what is being written", async () => {
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const photo = await drawPhoto(profile.context, 30);
  await upload.input.setInputFiles([photoFile("photo.jpg", photo)]);
  await deploy("by itself");
  await prompt().waitFor();
  /** For so many seconds nobody looks at it. */
  const leave = (seconds: number) =>
    page.evaluate((ms) => {
      const see = (hidden: boolean) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      };
      see(true);
      const now = Date.now() + ms;
      Date.now = () => now;
      see(false);
    }, seconds * 1000);
  const taken = page.locator('meta[name="build"][content="by itself"]');
  await leave(3_600);
  expect(await reload().isDisabled()).toBe(true);
  await upload.entry("photo.jpg").getByTestId("remove-entry").click();
  await reload().and(page.locator(":enabled")).waitFor();
  await leave(5);
  expect(await reload().isDisabled()).toBe(false);
  await leave(60);
  await taken.waitFor({ state: "attached" });
  expect(new URL(page.url()).pathname).toBe("/upload");
});

test("an app that comes back to the front looks for a new version, but not each time", async () => {
  await page.evaluate(() => {
    const counter = globalThis as unknown as { looks: number };
    counter.looks = 0;
    const { update } = ServiceWorkerRegistration.prototype;
    ServiceWorkerRegistration.prototype.update = function () {
      // The sender is looked for at each start.
      if (new URL(this.scope).pathname === "/") counter.looks++;
      return update.call(this);
    };
  });
  /** Comes to the front twice at one moment, so many minutes later. */
  const comeBack = (minutes: number) =>
    page.evaluate((ms) => {
      const now = Date.now() + ms;
      Date.now = () => now;
      document.dispatchEvent(new Event("visibilitychange"));
      document.dispatchEvent(new Event("visibilitychange"));
      return (globalThis as unknown as { looks: number }).looks;
    }, minutes * 60_000);
  // Until the page has registered its worker it looks for nothing.
  await expect.poll(() => comeBack(10)).toBe(1);
  expect(await comeBack(1)).toBe(1);
  expect(await comeBack(10)).toBe(2);
});

test("a worker that waits for a moment on a first visit, as in Firefox, is no new version", async () => {
  const first = await openProfile({ fresh: true });
  try {
    // Firefox shows a first worker as waiting for a while before it runs.
    await first.context.addInitScript(() => {
      const HELD_MS = 1_000;
      let isHeld = true;
      const { prototype } = ServiceWorkerRegistration;
      const waiting = Object.getOwnPropertyDescriptor(prototype, "waiting");
      const active = Object.getOwnPropertyDescriptor(prototype, "active");
      Object.defineProperty(prototype, "waiting", {
        get(this: ServiceWorkerRegistration) {
          return waiting?.get?.call(this) ?? (isHeld ? active?.get?.call(this) : null);
        },
      });
      Object.defineProperty(prototype, "active", {
        get(this: ServiceWorkerRegistration) {
          return isHeld ? null : active?.get?.call(this);
        },
      });
      const { addEventListener } = EventTarget.prototype;
      ServiceWorker.prototype.addEventListener = function (
        this: ServiceWorker,
        type: string,
        listener: (event: Event) => void,
      ) {
        addEventListener.call(this, type, (event) => {
          if (this.state === "installed") return listener(event);
          setTimeout(() => {
            isHeld = false;
            document.documentElement.dataset["released"] = "";
            listener({ target: this, type } as unknown as Event);
          }, HELD_MS);
        });
      } as ServiceWorker["addEventListener"];
    });
    await first.page.goto(app.url);
    await first.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // A prompt comes while the worker seems to wait.
    await first.page.locator("html[data-released]").waitFor();
    expect(await first.page.getByTestId("update-prompt").count()).toBe(0);
  } finally {
    await first.close();
  }
});

/** A browser that lets no service worker in: whatever a page needs later comes from the server. */
async function withoutWorker(run: (visitor: Profile) => Promise<void>): Promise<void> {
  const visitor = await openProfile({ serviceWorkers: "block" });
  try {
    await visitor.page.goto(app.url);
    await visitor.page.getByTestId("gallery-empty").waitFor();
    await run(visitor);
  } finally {
    await visitor.close();
  }
}

const toTerms = ({ page: from }: Profile) =>
  from.getByRole("contentinfo").getByRole("link").first().click();

test("what only reads ahead is not missed where it does not come", async () => {
  const visitor = await openProfile({ serviceWorkers: "block" });
  const { page: hers } = visitor;
  let loads = 0;
  hers.on("load", () => loads++);
  const failed = hers.waitForEvent("requestfailed", (request) => /\/around-/.test(request.url()));
  await hers.route(/\/assets\/around-/, (route) => route.abort());
  await hers.goto(`${app.url}/terms`);
  await hers.getByTestId("footer-language").waitFor();
  await failed;
  await hers.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  expect(await hers.getByTestId("toast").count()).toBe(0);
  expect(loads).toBe(1);
  await visitor.close();
});

test("a page whose parts are gone from the server reloads for the new ones, and goes where it was asked to", () =>
  withoutWorker(async (visitor) => {
    await renameParts("-next");
    await toTerms(visitor);
    await visitor.page.getByTestId("back-home").waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe("/terms");
    const program = visitor.page.locator('meta[name="program"]');
    expect(await program.getAttribute("content")).toContain("-next.js");
  }));

test("a part that nobody has is not reloaded for again and again", () =>
  withoutWorker(async (visitor) => {
    let loads = 0;
    visitor.page.on("load", () => loads++);
    const assets = path.join(folder, "assets");
    const elsewhere = await mkdtemp(path.join(folder, "elsewhere-"));
    // A build keeps the files of the one before.
    const parts = (await readdir(assets)).filter((name) => name.startsWith("account-"));
    for (const name of parts) await rename(path.join(assets, name), path.join(elsewhere, name));
    try {
      await toTerms(visitor);
      await visitor.page.getByTestId("crash").waitFor();
      expect(loads).toBe(1);
      expect(new URL(visitor.page.url()).pathname).toBe("/terms");
    } finally {
      for (const name of parts) await rename(path.join(elsewhere, name), path.join(assets, name));
    }
  }));

test("what somebody is writing outlives a part that does not come", () =>
  withoutWorker(async ({ page: hers, context }) => {
    const signup = new SignupPage(hers);
    await signup.open(app.url);
    await signup.signUp({ email: "bo@example.com", username: "bo.l", password: "Kirschkuchen-7" });
    const upload = new UploadPage(hers);
    await upload.open(app.url);
    const photo = await drawPhoto(context, 60);
    await upload.upload([photoFile("face.jpg", photo)], { caption: "A face" });
    await hers.waitForURL(`${app.url}/`);
    await new GalleryPage(hers).openMedia("A face");
    const media = new MediaPage(hers);
    await media.commentText.fill("Half a sentence");
    await renameParts("-later");
    await media.choose("edit-media");
    await hers.getByTestId("toast").getByText("Something is missing here").waitFor();
    expect(await media.commentText.inputValue()).toBe("Half a sentence");
  }));
