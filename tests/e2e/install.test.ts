/** The offer to install: at the second visit or the first upload, never twice after a no, and by hand where the browser asks nothing. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { createSuperuser, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const KEY = "augenblick.install";
const PHONE = { viewport: { width: 390, height: 844 } };
let app: App;

beforeAll(async () => {
  app = await startApp();
  const { token } = await createSuperuser(app);
  const ben = await signUp(app);
  await seedMedia(app, token, ben.id, [{ id: "install00000000", caption: "Pier", age: 1 }]);
});
afterAll(async () => {
  await app?.stop();
});

/** A browser that offers the app once its page stands, and whose own question is answered so. */
async function openOffering(outcome: "accepted" | "dismissed"): Promise<Profile> {
  const profile = await openProfile({ ...PHONE, fresh: true });
  await profile.context.addInitScript((answer) => {
    window.addEventListener("load", () => {
      const prompt = () => {
        document.documentElement.dataset["asked"] = "";
        return Promise.resolve({ outcome: answer });
      };
      const event = new Event("beforeinstallprompt", { cancelable: true });
      window.dispatchEvent(Object.assign(event, { prompt }));
    });
  }, outcome);
  return profile;
}

async function openGallery(page: Page): Promise<void> {
  await page.goto(app.url);
  await new GalleryPage(page).untilLive();
  await untilCounted(page);
}

const untilCounted = (page: Page) =>
  expect.poll(() => page.evaluate((key) => localStorage.getItem(key), KEY)).not.toBeNull();

async function signIn(page: Page): Promise<void> {
  const person = await signUp(app);
  await page.goto(`${app.url}/login`);
  await new LoginPage(page).signIn(person.email, person.password);
  await page.waitForURL(`${app.url}/`);
  await new GalleryPage(page).untilLive();
}

/** As if the last page had been open an hour ago. */
async function later(page: Page): Promise<void> {
  await untilCounted(page);
  await page.evaluate((key) => {
    const known = JSON.parse(localStorage.getItem(key) ?? "{}");
    localStorage.setItem(key, JSON.stringify({ ...known, at: known.at - 3_600_000 }));
  }, KEY);
}

const offer = (page: Page) => page.getByTestId("install-offer");
const wasAsked = (page: Page) =>
  page.evaluate(() => document.documentElement.dataset["asked"] !== undefined);

test("nothing is offered at the first visit; at the second it is, and never after a no", async () => {
  const profile = await openOffering("accepted");
  const { page } = profile;
  await openGallery(page);
  await page.reload();
  await new GalleryPage(page).untilLive();
  await page.getByTestId("announcements").waitFor({ state: "attached" });
  expect(await offer(page).count()).toBe(0);
  await later(page);
  await openGallery(page);
  await offer(page).waitFor();
  // It stands over the gallery alone.
  await page.getByTestId("login-link").click();
  await page.getByTestId("login-form").waitFor();
  expect(await offer(page).count()).toBe(0);
  await page.goBack();
  await page.getByTestId("install-no").click();
  await offer(page).waitFor({ state: "detached" });
  expect(await wasAsked(page)).toBe(false);
  await later(page);
  await openGallery(page);
  await page.getByTestId("announcements").waitFor({ state: "attached" });
  expect(await offer(page).count()).toBe(0);
  await profile.close();
});

test("a no to the browser's own question counts as well", async () => {
  const profile = await openOffering("dismissed");
  const { page } = profile;
  await openGallery(page);
  await later(page);
  await openGallery(page);
  await page.getByTestId("install").click();
  await offer(page).waitFor({ state: "detached" });
  expect(await wasAsked(page)).toBe(true);
  await later(page);
  await openGallery(page);
  await page.getByTestId("announcements").waitFor({ state: "attached" });
  expect(await offer(page).count()).toBe(0);
  await profile.close();
});

test("the first upload is a good moment; once installed the newest pictures are on the device", async () => {
  const profile = await openOffering("accepted");
  const { page } = profile;
  await signIn(page);
  await untilControlled(page);
  expect(await offer(page).count()).toBe(0);
  const form = new UploadPage(page);
  await form.open(app.url);
  await form.upload([photoFile("dusk.jpg", await drawPhoto(profile.context, 60))], {
    caption: "Dusk",
  });
  await page.waitForURL(`${app.url}/`);
  await page.getByTestId("install").click();
  await offer(page).waitFor({ state: "detached" });
  const dusk = `/api/collections/media/records?filter=${encodeURIComponent("caption = 'Dusk'")}`;
  const published = async () => (await app.api("GET", dusk)).body.items[0]?.id;
  await expect.poll(published).toBeDefined();
  await page.reload();
  await new GalleryPage(page).untilLive();
  await page.evaluate(() => caches.delete("media-v1"));
  await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
  await page.getByTestId("toast").getByText("Installed").waitFor();
  const kept = () =>
    page.evaluate(async () => {
      const entries = await (await caches.open("media-v1")).keys();
      return entries.map(({ url }) => url).join();
    });
  await expect.poll(kept).toContain(await published());
  await profile.close();
});

test("in Settings it can be installed at any time", async () => {
  const profile = await openOffering("accepted");
  const { page } = profile;
  await signIn(page);
  await page.goto(`${app.url}/profile?tab=settings`);
  await page.getByTestId("install-app").click();
  await expect.poll(() => wasAsked(page)).toBe(true);
  await page.getByTestId("install-app").waitFor({ state: "detached" });
  await profile.close();
});

test("on iOS the two taps are shown, and beside the queue why", async () => {
  const profile = await openProfile({ ...PHONE, fresh: true });
  const { page, context } = profile;
  await context.addInitScript(() =>
    Object.defineProperty(navigator, "standalone", { value: false }),
  );
  await signIn(page);
  await later(page);
  await openGallery(page);
  await offer(page).getByRole("listitem").nth(1).waitFor();
  expect(await offer(page).getByRole("listitem").allInnerTexts()).toEqual([
    "1. Tap Share",
    "2. Then tap Add to Home Screen",
  ]);
  expect(await page.getByTestId("install").count()).toBe(0);
  await page.goto(`${app.url}/outbox`);
  await page.getByTestId("outbox-empty").waitFor();
  expect(await page.getByTestId("kept-seven-days").count()).toBe(0);
  await page.goto(app.url);
  await page.getByTestId("install-no").click();
  await context.setOffline(true);
  await page.getByTestId("like").first().click();
  const outbox = await new GalleryPage(page).openOutbox();
  await outbox.screen.getByTestId("kept-seven-days").waitFor();
  await context.setOffline(false);
  await profile.close();
});
