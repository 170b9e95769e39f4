/** A session that ends elsewhere, and leaving with something unsent: the queue is kept, and sent as nobody else. */

import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { pass, startFaultProxy } from "@tests/support/fault-proxy";
import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ChatPage } from "./pages/chat-page";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { OutboxPage } from "./pages/outbox-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const NEW_PASSWORD = "Apfelkuchen-8";
let app: App;
let operator: SignedIn;
let ann: SignedIn;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  app = await startApp();
  operator = await createSuperuser(app);
});

// Each test has a person and a device of its own.
beforeEach(async () => {
  ann = await signUp(app);
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  page.on("dialog", (dialog) => void dialog.accept());
  await signIn(ann);
  return () => profile.close();
});

afterAll(async () => {
  await app?.stop();
});

async function signIn(who: { email: string; password: string }): Promise<void> {
  await new LoginPage(page).enter(app.url, who);
  // What uploading needs comes in chunks of its own, which must be on the device before the server goes.
  await untilControlled(page);
}

/** Queues one photo while the server is away; the server is still away afterwards. */
async function queueOffline(caption: string): Promise<void> {
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const file = photoFile("photo.jpg", await drawPhoto(profile.context, 40));
  await app.stop();
  await upload.upload([file], { caption });
  await page.getByText("Waiting for a connection").first().waitFor();
  await page.waitForURL(`${app.url}/`);
}

async function logout(): Promise<void> {
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
}

const rowsWith = async (caption: string): Promise<{ id: string; userId: string }[]> => {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  return (await app.api("GET", `/api/collections/media/records?filter=${filter}`)).body.items;
};

/** Ends every session of Ann's, as a change of the password elsewhere does. */
async function changePassword(): Promise<void> {
  const address = `/api/collections/users/records/${ann.id}`;
  const body = { password: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD };
  expect((await app.api("PATCH", address, body, operator.token)).status).toBe(200);
}

test("a password changed elsewhere asks to sign in again; what waited is kept, and sent afterwards", async () => {
  await queueOffline("Before the change");
  await app.restart();
  // Before the page has heard that the server is back.
  await changePassword();
  const notice = page.getByTestId("needs-login");
  await notice.waitFor();
  const outbox = await new GalleryPage(page).openOutbox();
  const item = outbox.itemIn("Before the change", "paused");
  await item.getByText("Paused until you sign in").waitFor();
  expect(await rowsWith("Before the change")).toHaveLength(0);
  await notice.getByRole("link").click();
  await new LoginPage(page).signIn(ann.email, NEW_PASSWORD);
  await notice.waitFor({ state: "detached" });
  await expect.poll(() => rowsWith("Before the change")).toHaveLength(1);
  expect((await rowsWith("Before the change"))[0]?.userId).toBe(ann.id);
});

test("what was kept at sign-out is neither shown to nor sent by the next person, and goes when its own comes back", async () => {
  await queueOffline("Sealed for Ann");
  await logout();
  await page.getByTestId("sign-out-keep").click();
  await page.getByTestId("login-link").waitFor();
  await app.restart();
  const ben = await signUp(app);
  await signIn(ben);
  const outbox = new OutboxPage(page);
  await outbox.open(app.url);
  await outbox.empty.waitFor();
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await page.locator('[data-testid="gallery-empty"], [data-source="live"]').first().waitFor();
  expect(await gallery.card("Sealed for Ann").count()).toBe(0);
  await logout();
  await page.getByTestId("login-link").waitFor();
  expect(await rowsWith("Sealed for Ann")).toHaveLength(0);
  await signIn(ann);
  await expect.poll(() => rowsWith("Sealed for Ann")).toHaveLength(1);
  expect((await rowsWith("Sealed for Ann"))[0]?.userId).toBe(ann.id);
  expect(profile.errors).toEqual([]);
});

test("'Send first' keeps one signed in while it cannot be sent, and lets one go once it was", async () => {
  await queueOffline("Sent first");
  await logout();
  const dialog = page.getByRole("dialog");
  await page.getByTestId("send-first").click();
  await dialog.getByText("Not everything could be sent.").waitFor();
  await app.restart();
  await page.getByTestId("send-first").click();
  await dialog.getByTestId("sign-out-now").click();
  await page.getByTestId("login-link").waitFor();
  expect(await rowsWith("Sent first")).toHaveLength(1);
});

test("'Discard' deletes what waited for good", async () => {
  await queueOffline("Thrown away");
  await logout();
  await page.getByTestId("sign-out-discard").click();
  await page.getByTestId("login-link").waitFor();
  await app.restart();
  await signIn(ann);
  const outbox = new OutboxPage(page);
  await outbox.open(app.url);
  await outbox.empty.waitFor();
  expect(await rowsWith("Thrown away")).toHaveLength(0);
});

/** The drafts in the browser's storage that hold these words. */
const draftsWith = (words: string): Promise<string[]> =>
  page.evaluate((text) => {
    const all = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage));
    const found = all.filter(([, value]) => String(value).includes(text));
    return found.map(([key]) => key.split(".").slice(0, 2).join(".")).sort();
  }, words);

test("what was typed and not sent goes with the sign-out", async () => {
  const cleo = await signUp(app);
  const participants = [ann.id, cleo.id].sort();
  const chats = "/api/collections/conversations/records";
  const chat = (await app.api("POST", chats, { participants }, cleo.token)).body.id;
  const form = new FormData();
  const fields = { userId: cleo.id, type: "photo", caption: "For all", tags: "[]" };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  const photo = new File([mediaFixture("photo.jpg")], "a.jpg", { type: "image/jpeg" });
  form.set("file", photo);
  form.set("thumbnail", photo);
  const media = "/api/collections/media/records";
  const medium = (await app.api("POST", media, form, operator.token)).body;
  const secret = "Half a secret";
  await page.goto(`${app.url}/view/${medium.id}`);
  await page.getByTestId("comment-text").fill(secret);
  await page.goto(`${app.url}/chat/${chat}`);
  await page.getByTestId("message-input").fill(secret);
  const upload = new UploadPage(page);
  await upload.open(app.url);
  await upload.caption.fill(secret);
  await page.goto(app.url);
  const kept = ["chat-draft", "comment-draft", "upload-draft"].map((name) => `augenblick.${name}`);
  await expect.poll(() => draftsWith(secret)).toEqual(kept);
  await logout();
  await page.getByTestId("login-link").waitFor();
  await expect.poll(() => draftsWith(secret)).toEqual([]);
});

/** A photo in the chat of `from` and Ann. Gives the begin of its file's address. */
async function photoFrom(from: SignedIn, conversationId: string, name: string): Promise<string> {
  const file = new File([mediaFixture(name === "a" ? "photo.jpg" : "halves.jpg")], `${name}.jpg`, {
    type: "image/jpeg",
  });
  const form = new FormData();
  const fields = {
    conversationId,
    senderId: from.id,
    type: "photo",
    message: name,
    timestamp: "1",
  };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("image", file);
  form.set("thumbnail", file);
  const { status, body } = await app.api(
    "POST",
    "/api/collections/messages/records",
    form,
    operator.token,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return `/api/files/messages/${body.id}/`;
}

/** What the media cache holds: names of caches, addresses in them, and rows of its list. */
const inMediaCache = (): Promise<string[]> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes("media"));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const rows = await new Promise<{ id: string }[]>((resolve, reject) => {
      const opening = indexedDB.open("media-cache");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const database = opening.result;
        const all = database.transaction("entries").objectStore("entries").getAll();
        all.onsuccess = () => {
          database.close();
          resolve(all.result);
        };
      };
    });
    return [...names, ...keys.flat().map(({ url }) => url), ...rows.map(({ id }) => id)];
  });

const inPrivateCache = async (): Promise<string[]> =>
  (await inMediaCache()).filter((name) => /private|messages/.test(name));

test("a chat photo that arrives after the sign-out is stored nowhere", async () => {
  const cleo = await signUp(app);
  const { body: chat } = await app.api(
    "POST",
    "/api/collections/conversations/records",
    { participants: [ann.id, cleo.id] },
    cleo.token,
  );
  const form = new FormData();
  const fields = { userId: cleo.id, type: "photo", caption: "For all", tags: "[]" };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  const shared = new File([mediaFixture("photo.jpg")], "a.jpg", { type: "image/jpeg" });
  form.set("file", shared);
  form.set("thumbnail", shared);
  const records = "/api/collections/media/records";
  const { body: medium } = await app.api("POST", records, form, operator.token);
  await photoFrom(cleo, chat.id, "a");
  const late = await photoFrom(cleo, chat.id, "b");

  const proxy = await startFaultProxy({ target: app.url });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  proxy.decide = ({ path }) =>
    path.startsWith(late) ? { kind: "withhold", until: released } : pass();
  try {
    await new LoginPage(page).enter(proxy.url, ann);
    await untilControlled(page);
    const chats = new ChatPage(page);
    await chats.open(proxy.url);
    await chats.item(cleo.record.username).getByRole("link").click();
    const seen = () => proxy.seen.filter(({ path }) => path.startsWith(late));
    await expect.poll(() => seen().length).toBeGreaterThan(0);
    // The other photo arrived, so there is a cache that the sign-out deletes.
    await expect.poll(inPrivateCache).not.toEqual([]);
    await page.goBack();
    await logout();
    await page.getByTestId("login-link").waitFor();
    await expect.poll(inPrivateCache).toEqual([]);
    release();
    await expect.poll(() => seen().every(({ status }) => status === 200)).toBe(true);
    // The worker stores this one, which it asks for later, when it is done with the late photo.
    const url = `${proxy.url}/api/files/media/${medium.id}/${medium.file}`;
    await page.evaluate(async (address) => (await fetch(address)).blob(), url);
    await expect.poll(inMediaCache).toContain(url);
    expect(await inPrivateCache()).toEqual([]);
  } finally {
    release();
    await proxy.close();
  }
});
