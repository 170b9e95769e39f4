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
  profile = await openProfile({ fresh: true });
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
  // Words stand on the screen while they are being stored; the mark counts what is.
  await page.getByTestId("waiting-mark").getByText("2 waiting").waitFor();
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
  await new MediaPage(page).commentIn(text, "waiting").waitFor();
  sent.length = 0;
  await context.setOffline(false);
  await Promise.all([backgroundSync(), backgroundSync()]);
  await new MediaPage(page).commentIn(text, "stored").waitFor();
  expect(await isOnServer(text)).toBe(1);
  expect(sent.filter((body) => body.includes(text)).length).toBeGreaterThan(0);
});

/** Whether this page, or the worker, has the lock of the election; the other may be asking for it. */
async function isLeading(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const isElection = ({ name = "" }) => name.startsWith("pubkey-bc||");
    return held.some(isElection) && !pending.some(isElection);
  });
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
  // Of this site, to see who leads: a text, so that nothing of the app runs there.
  await elsewhere.goto(`${app.url}/robots.txt`);
  process.kill(app.pid, "SIGSTOP");
  let again: Page;
  try {
    const leads = async () => {
      await backgroundSync();
      return isLeading(elsewhere);
    };
    await expect.poll(leads, { interval: 1_000 }).toBe(true);
    if (isKilled) await wire.send("ServiceWorker.stopAllWorkers");
    again = await context.newPage();
    await again.goto(`${app.url}/outbox`, { waitUntil: "commit" });
    await new OutboxPage(again).items.first().waitFor();
    await expect.poll(() => isLeading(again)).toBe(true);
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
  const media = new MediaPage(page);
  await media.open(app.url, MEDIUM);
  await media.commentText.waitFor();
  await page.evaluate(() => {
    const { SyncManager } = globalThis as unknown as {
      SyncManager: { prototype: { register: (tag: string) => Promise<void> } };
    };
    SyncManager.prototype.register = async (tag) => localStorage.setItem("asked for", tag);
  });
  const asked = () => page.evaluate(() => localStorage.getItem("asked for"));
  const turn = (value: DocumentVisibilityState) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, value);
  // With nothing to send nobody is asked.
  await turn("hidden");
  await turn("visible");
  process.kill(app.pid, "SIGSTOP");
  try {
    await media.write(text);
    await media.comment(text).waitFor();
    expect(await asked()).toBeNull();
    await turn("hidden");
    await expect.poll(asked).toBe("outbox");
  } finally {
    process.kill(app.pid, "SIGCONT");
  }
  await media.commentIn(text, "stored").waitFor();
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
