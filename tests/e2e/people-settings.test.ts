/** One's own profile before and after signing in, and what its settings keep, clear and hand out. */
import { readFile } from "node:fs/promises";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { signUp } from "@tests/support/pocketbase";
import { readZip } from "@tests/support/read-zip";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginPage } from "./pages/login-page";
import { ProfilePage } from "./pages/profile-page";

const UNREAD = 12;
let app: App;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  // No service worker: every chunk comes over the network, where a test can hold it back.
  profile = await openProfile({ viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("a visitor is told that nobody is signed in while it cannot be known, and is then sent to the form", async () => {
  const { page } = profile;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const clientChunk = "**/assets/browser-client-*.js";
  await page.route(clientChunk, (route) => held.then(() => route.continue()));
  await page.goto(`${app.url}/profil`);
  const card = page.getByTestId("profile-signed-out");
  await card.getByText("Nicht angemeldet").waitFor();
  expect(await card.getByRole("link").innerText()).toBe("Zur Anmeldung");
  expect(new URL(page.url()).pathname).toBe("/profil");
  release();
  await page.waitForURL(/\/login/);
  await page.unroute(clientChunk);
});

test("/profil is one's own profile; unread messages of somebody are told up to nine", async () => {
  const { page } = profile;
  const [ann, ben] = [await signUp(app), await signUp(app)];
  const id = [ann.id, ben.id].sort().join("_");
  const post = async (name: string, body: unknown) =>
    expect(
      (await app.api("POST", `/api/collections/${name}/records`, body, ben.token)).status,
    ).toBe(200);
  await post("conversations", { id, participants: [ann.id, ben.id].sort() });
  for (let i = 0; i < UNREAD; i++) {
    const message = { conversationId: id, senderId: ben.id, message: `Hello ${i}`, type: "text" };
    await post("messages", { ...message, timestamp: Math.floor(Date.now() / 1000) });
  }
  await page.addInitScript(() => {
    const connection = Object.assign(new EventTarget(), { type: "wifi" });
    Object.defineProperty(navigator, "connection", { value: connection });
  });
  await new LoginPage(page).enter(app.url, ann);
  await page.goto(`${app.url}/profil`);
  const user = new ProfilePage(page);
  await expect.poll(() => user.name.innerText()).toBe(ann.record.username);
  const face = await user.header.locator("[aria-hidden]").first().boundingBox();
  expect(face).toMatchObject({ width: 84, height: 84 });
  await user.openUser(app.url, ben.record.username);
  await expect.poll(() => user.message.getByTestId("unread-from").innerText()).toBe("9+");
});

test("a picture is cropped by keys and by buttons, which are reached however low the window is", async () => {
  const { page } = profile;
  const own = new ProfilePage(page);
  await own.openOwn(app.url, "settings");
  const photo = await drawPhoto(profile.context, 120);
  const picture = { name: "a.jpg", mimeType: "image/jpeg", buffer: photo };
  const crop = async () => (await own.setting("crop-stage").getAttribute("data-crop")) ?? "";
  for (const size of [
    { width: 844, height: 390 },
    { width: 320, height: 400 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await own.setting("picture-input").setInputFiles(picture);
    await own.setting("crop-stage").waitFor();
    const dialog = page.getByRole("dialog");
    for (const button of await dialog.getByRole("button").all()) {
      await button.scrollIntoViewIfNeeded();
      const isFree = await button.evaluate((own) => {
        const box = own.getBoundingClientRect();
        const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return own.contains(at);
      });
      expect([size, await button.textContent(), isFree]).toEqual([
        size,
        await button.textContent(),
        true,
      ]);
    }
    await own.setting("crop-+").click();
    await expect.poll(crop).toBe("0.500 0.500 1.150");
    // The picture goes where the arrow points, so what is seen of it lies on the other side.
    for (const [arrow, centre] of [
      ["ArrowRight", "0.483 0.500 1.150"],
      ["ArrowDown", "0.483 0.483 1.150"],
    ] as const) {
      await own.setting(`crop-${arrow}`).click();
      await expect.poll(crop).toBe(centre);
    }
    for (const [key, centre] of [
      ["ArrowLeft", "0.500 0.483 1.150"],
      ["ArrowUp", "0.500 0.500 1.150"],
      ["-", "0.500 0.500 1.000"],
    ] as const) {
      await own.setting("crop-stage").press(key);
      await expect.poll(crop).toBe(centre);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
});

test("the settings keep the wish for Wi-Fi, clear the cache, and hand one's data over as an archive", async () => {
  const { page } = profile;
  const own = new ProfilePage(page);
  await own.openOwn(app.url, "settings");
  expect(await own.setting("server-storage").innerText()).toMatch(/use [\d.]+ [kM]B of 5 GB/);
  const wifiOnly = page.getByRole("checkbox", { name: /Wi-Fi/ });
  await wifiOnly.waitFor();
  expect(await wifiOnly.isChecked()).toBe(false);
  await wifiOnly.check();
  await page.reload();
  await wifiOnly.waitFor();
  expect(await wifiOnly.isChecked()).toBe(true);
  await own.setting("clear-cache").click();
  await page.getByText("Cache cleared").first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    own.setting("start-export").click(),
  ]);
  await own.setting("export-outcome").getByText("Your archive is ready").waitFor();
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const archive = await readZip(new Blob([Uint8Array.from(await readFile(await download.path()))]));
  const words = [...archive.values()].map(({ bytes }) => bytes.toString()).join();
  expect(words).toContain(`Hello ${UNREAD - 1}`);
  expect(profile.errors).toEqual([]);
});
