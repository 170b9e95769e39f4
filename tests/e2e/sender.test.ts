/** The worker that sends what waits when the app is closed, woken as the browser's Background Sync does. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";
import { OutboxPage } from "./pages/outbox-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MEDIUM = "senders00000000";
let app: App;
let ada: SignedIn;
let profile: Profile;
/** A tab of no site, which stays when the app's is closed. */
let elsewhere: Page;
let wire: CDPSession;
let registrations: { registrationId: string; scopeURL: string }[];
let words = 0;

beforeAll(async () => {
  app = await startApp();
  const { token } = await createSuperuser(app);
  ada = await signUp(app);
  await seedMedia(app, token, ada.id, [{ id: MEDIUM, caption: "Pier", age: 1 }]);
});
afterAll(() => app?.stop());

beforeEach(async () => {
  profile = await openProfile();
  elsewhere = await profile.context.newPage();
  wire = await profile.context.newCDPSession(elsewhere);
  registrations = [];
  wire.on("ServiceWorker.workerRegistrationUpdated", (told) => {
    registrations.push(...told.registrations);
  });
  await wire.send("ServiceWorker.enable");
  const { page } = profile;
  await new LoginPage(page).enter(app.url, ada);
  await untilControlled(page);
  await new GalleryPage(page).untilLive();
});
afterEach(() => profile?.close());

const sender = () => registrations.find(({ scopeURL }) => scopeURL === `${app.url}/sender/`);

/** It comes once the page is calm. */
async function untilSender(page: Page): Promise<void> {
  await expect.poll(sender).toBeDefined();
  const isActive = () =>
    page.evaluate(async () => {
      const found = await navigator.serviceWorker.getRegistration("/sender/");
      return found?.active?.state === "activated" && found.scope.endsWith("/sender/");
    });
  await expect.poll(isActive).toBe(true);
}

const newWords = (): string => `Number ${++words} of this evening`;

async function comment(page: Page, text: string): Promise<void> {
  const media = new MediaPage(page);
  await media.open(app.url, MEDIUM);
  await media.write(text);
  await media.comment(text).waitFor();
}

const isOnServer = async (text: string): Promise<number> => {
  const filter = encodeURIComponent(`text = "${text}"`);
  return (await app.api("GET", `/api/collections/comments/records?filter=${filter}`)).body.items
    .length;
};
const uploads = async (caption: string): Promise<number> => {
  const filter = encodeURIComponent(`caption = "${caption}"`);
  return (await app.api("GET", `/api/collections/media/records?filter=${filter}`)).body.items
    .length;
};

async function backgroundSync(): Promise<void> {
  const registrationId = sender()?.registrationId ?? "";
  const dispatch = { origin: app.url, registrationId, tag: "outbox", lastChance: false };
  await wire.send("ServiceWorker.dispatchSyncEvent", dispatch);
}

/** Two wake-ups at once, and again as long as it is not there: so the browser does, only later. */
async function untilSent(count: () => Promise<number>): Promise<void> {
  const wake = async () => {
    await Promise.all([backgroundSync(), backgroundSync()]);
    return count();
  };
  await expect.poll(wake, { interval: 1_000 }).toBe(1);
}

/** What is written and chosen without a network, and left so. */
async function leaveQueued(page: Page, text: string, caption: string): Promise<void> {
  await untilSender(page);
  const form = new UploadPage(page);
  await form.open(app.url);
  await profile.context.setOffline(true);
  const photo = await drawPhoto(profile.context, 60);
  await form.upload([photoFile("tunnel.jpg", photo)], { caption });
  await page.waitForURL(`${app.url}/`);
  await comment(page, text);
  await new MediaPage(page).commentIn(text, "queued").waitFor();
}

test("with the app closed, words and a photo are on the server once the network is back", async () => {
  const { page, context } = profile;
  const [text, caption] = [newWords(), "Out of the tunnel"];
  await leaveQueued(page, text, caption);
  await page.goto(`${app.url}/outbox`);
  await page.getByText("even when the app is closed").waitFor();
  await page.close();
  expect([await isOnServer(text), await uploads(caption)]).toEqual([0, 0]);
  await context.setOffline(false);
  await untilSent(() => isOnServer(text));
  await untilSent(() => uploads(caption));
  // The app that is opened again has nothing left to send, and sends nothing twice.
  const again = await context.newPage();
  await again.goto(`${app.url}/outbox`);
  await again.getByTestId("outbox-empty").waitFor();
  expect([await isOnServer(text), await uploads(caption)]).toEqual([1, 1]);
});

test("where a page is open the page sends", async () => {
  const { page, context } = profile;
  await untilSender(page);
  const text = newWords();
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/comments/"))
      sent.push(request.postData() ?? "");
  });
  await context.setOffline(true);
  await comment(page, text);
  await new MediaPage(page).commentIn(text, "queued").waitFor();
  await context.setOffline(false);
  await Promise.all([backgroundSync(), backgroundSync()]);
  await new MediaPage(page).commentIn(text, "stored").waitFor();
  expect(await isOnServer(text)).toBe(1);
  expect(sent.filter((body) => body.includes(text)).length).toBeGreaterThan(0);
});

/** Whether it leads, by the lock of the election. */
async function isLeading(): Promise<boolean> {
  const worker = profile.context.serviceWorkers().find((one) => one.url().endsWith("/sender.js"));
  const held = await worker?.evaluate(async () =>
    ((await navigator.locks.query()).held ?? []).map(({ name = "" }) => name),
  );
  return (held ?? []).some((name) => name.startsWith("pubkey-bc||"));
}

test.each([
  ["is told to leave it to the page", false],
  ["is killed", true],
])("a page that is opened while the worker sends goes on where that %s", async (_how, isKilled) => {
  const { page, context } = profile;
  const [text, caption] = [newWords(), `Between two stations ${isKilled}`];
  await leaveQueued(page, text, caption);
  await page.close();
  await context.setOffline(false);
  process.kill(app.pid, "SIGSTOP");
  let again: Page;
  try {
    const leads = async () => {
      await backgroundSync();
      return isLeading();
    };
    await expect.poll(leads, { interval: 1_000 }).toBe(true);
    if (isKilled) await wire.send("ServiceWorker.stopAllWorkers");
    again = await context.newPage();
    await again.goto(`${app.url}/outbox`);
    await new OutboxPage(again).items.first().waitFor();
  } finally {
    process.kill(app.pid, "SIGCONT");
  }
  await new OutboxPage(again).empty.waitFor();
  expect([await isOnServer(text), await uploads(caption)]).toEqual([1, 1]);
});

test("a page that is left while something waits asks to be woken", async () => {
  const { page } = profile;
  await untilSender(page);
  const text = newWords();
  await page.evaluate(() => {
    const { SyncManager } = globalThis as unknown as {
      SyncManager: { prototype: { register: (tag: string) => Promise<void> } };
    };
    SyncManager.prototype.register = async (tag) => localStorage.setItem("asked for", tag);
  });
  const asked = () => page.evaluate(() => localStorage.getItem("asked for"));
  const leave = () =>
    page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
  await leave();
  process.kill(app.pid, "SIGSTOP");
  try {
    await comment(page, text);
    expect(await asked()).toBeNull();
    await leave();
    await expect.poll(asked).toBe("outbox");
  } finally {
    process.kill(app.pid, "SIGCONT");
  }
  await new MediaPage(page).commentIn(text, "stored").waitFor();
});

test("nothing of a session is left for the worker after its sign-out", async () => {
  const { page } = profile;
  const isCopied = () => page.evaluate(() => caches.has("session-copy"));
  await expect.poll(isCopied).toBe(true);
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").first().waitFor();
  await expect.poll(isCopied).toBe(false);
});
