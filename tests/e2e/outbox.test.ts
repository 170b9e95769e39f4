/** The outbox as a person meets it: what waits and why, what may be done about it, and that nothing is lost or doubled. */

import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { noisePng } from "@tests/support/noise-png";
import { createSuperuser, RATES } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda, rowsWith } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { OutboxPage } from "./pages/outbox-page";
import { photoFile, UploadPage } from "./pages/upload-page";

const MB = 1_048_576;
const NO_ROOM = "Speicherplatz überschritten";
let app: App;
let operator: string;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  operator = (await createSuperuser(app)).token;
  profile = await openAsAda(app);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const setLimits = async (limits: Record<string, number>): Promise<void> => {
  const address = "/api/collections/settings/records/app";
  const body = { limits: { ...RATES, ...limits } };
  expect((await app.api("PATCH", address, body, operator)).status).toBe(200);
};

const upload = async (name: string, caption: string): Promise<UploadPage> => {
  const form = new UploadPage(profile.page);
  await form.open(app.url);
  const file = photoFile(name, await drawPhoto(profile.context, name.length * 17));
  await form.upload([file], { caption });
  return form;
};

test("what waits is shown with its picture, size and state without a network, after a fresh start too, and goes when asked", async () => {
  const { page } = profile;
  const outbox = new OutboxPage(page);
  await outbox.open(app.url);
  await outbox.empty.waitFor();
  await new UploadPage(page).open(app.url);
  await untilControlled(page);
  await app.stop();
  await upload("lighthouse.jpg", "Lighthouse");
  await page.getByText("Waiting for a connection").first().waitFor();
  await outbox.open(app.url);
  await outbox.offline.waitFor();
  const item = outbox.itemIn("Lighthouse", "waiting");
  await item.getByText("Waiting for a connection").waitFor();
  await item.getByText(/^Upload · [\d.]+ [kM]B · Just now$/).waitFor();
  const width = () => item.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  expect(await outbox.totals.textContent()).toMatch(/^1 waiting · [\d.]+ [kM]B$/);
  await page
    .getByTestId("storage-used")
    .getByText(/^[\d.]+ [kM]B of [\d.]+ [MG]B$/)
    .waitFor();
  await page
    .getByTestId("storage-queued")
    .getByText(/^[\d.]+ [kM]B$/)
    .waitFor();
  await outbox.sendNow.click();
  await outbox.sendNow.and(page.locator(":enabled")).waitFor();
  await item.waitFor();
  await item.getByTestId("pause-intent").click();
  const held = outbox.itemIn("Lighthouse", "paused");
  await held.getByText("Paused", { exact: true }).waitFor();
  await app.restart();
  await outbox.sendNow.click();
  await outbox.offline.waitFor({ state: "detached" });
  await held.waitFor();
  expect(await rowsWith(app, "Lighthouse")).toHaveLength(0);
  await held.getByTestId("resume-intent").click();
  await outbox.empty.waitFor();
  await new GalleryPage(page).waitingMark.waitFor({ state: "detached" });
  expect(await rowsWith(app, "Lighthouse")).toHaveLength(1);
});

test("a server without room refuses visibly; Retry sends it once there is room again", async () => {
  const { page } = profile;
  await setLimits({ minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
  const form = await upload("harbour.jpg", "Harbour");
  const text = form.error("harbour.jpg").getByText(NO_ROOM);
  await text.waitFor();
  expect(await text.getAttribute("lang")).toBe("de");
  const outbox = await new GalleryPage(page).openOutbox();
  await outbox.itemIn("Harbour", "refused").waitFor();
  await outbox.reason("Harbour").getByText(NO_ROOM).waitFor();
  await outbox.open(app.url);
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route("**/api/uploads", (route) => held.then(() => route.continue()));
  await outbox.retry("Harbour");
  await outbox.itemIn("Harbour", "sending").waitFor();
  go();
  await outbox.itemIn("Harbour", "refused").waitFor();
  expect(await rowsWith(app, "Harbour")).toHaveLength(0);
  await page.unroute("**/api/uploads");
  await setLimits({});
  await outbox.retry("Harbour");
  await outbox.empty.waitFor();
  expect(await rowsWith(app, "Harbour")).toHaveLength(1);
});

test("Discard asks first, and then the refused upload is gone from this device", async () => {
  const { page } = profile;
  await setLimits({ minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
  const form = await upload("pier.jpg", "Pier");
  await form.error("pier.jpg").waitFor();
  await setLimits({});
  const gallery = new GalleryPage(page);
  const outbox = await gallery.openOutbox();
  await outbox.item("Pier").getByTestId("discard-intent").click();
  await page.getByRole("alertdialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await outbox.itemIn("Pier", "refused").waitFor();
  await outbox.discard("Pier");
  await outbox.empty.waitFor();
  await gallery.waitingMark.waitFor({ state: "detached" });
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused).toBe("H1");
  await gallery.open(app.url);
  await gallery.card("Harbour").waitFor();
  expect(await gallery.card("Pier").count()).toBe(0);
  expect(await rowsWith(app, "Pier")).toHaveLength(0);
});

test("a device without room says so at the file, keeps what was typed, and takes it once there is room", async () => {
  const device = await openProfile({ viewport: { width: 390, height: 844 } });
  try {
    const { page, context } = device;
    const cdp = await context.newCDPSession(page);
    // Before the first page: the browser asks for the quota now and then only. Enough for the app, not for the picture.
    await cdp.send("Storage.overrideQuotaForOrigin", { origin: app.url, quotaSize: 4 * MB });
    await new LoginPage(page).enter(app.url, {
      email: "ada@example.com",
      password: "Kirschkuchen-7",
    });
    const form = new UploadPage(page);
    await form.open(app.url);
    const noise = { name: "dunes.png", mimeType: "image/png", buffer: noisePng(1250, 1200) };
    await form.upload([noise], { caption: "Dunes" });
    const full = "There's no space left on this device";
    await form.error("dunes.png").getByText(full).waitFor();
    expect(await form.caption.inputValue()).toBe("Dunes");
    expect(await rowsWith(app, "Dunes")).toHaveLength(0);
    await cdp.send("Storage.overrideQuotaForOrigin", { origin: app.url });
    await form.submit.click();
    await page.getByText("Upload successful!").first().waitFor();
    expect(await rowsWith(app, "Dunes")).toHaveLength(1);
    expect(device.errors).toEqual([]);
  } finally {
    await device.close();
  }
});

test("the browser is asked to keep what is stored, and to wake the app, once something waits or the app is installed", async () => {
  const device = await openProfile({ viewport: { width: 390, height: 844 } });
  try {
    const { page, context } = device;
    await context.addInitScript(() => {
      const asked: string[] = [];
      Object.assign(window, { asked });
      navigator.storage.persist = async () => asked.push("persist") > 0;
      const registration = Reflect.get(window, "SyncManager").prototype;
      registration.register = async (tag: string) => void asked.push(`sync ${tag}`);
    });
    const asked = () => page.evaluate(() => Reflect.get(window, "asked") as string[]);
    await new LoginPage(page).enter(app.url, {
      email: "ada@example.com",
      password: "Kirschkuchen-7",
    });
    await untilControlled(page);
    expect(await asked()).toEqual([]);
    await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
    expect(await asked()).toEqual(["persist"]);
    const form = new UploadPage(page);
    await form.open(app.url);
    await context.setOffline(true);
    const file = photoFile("jetty.jpg", await drawPhoto(context, 77));
    await form.upload([file], { caption: "Jetty" });
    await page.getByText("Waiting for a connection").first().waitFor();
    await expect.poll(asked).toContain("sync outbox");
    expect((await asked()).filter((what) => what === "persist")).toHaveLength(1);
    await context.setOffline(false);
    await expect.poll(() => rowsWith(app, "Jetty").then((rows) => rows.length)).toBe(1);
  } finally {
    await device.close();
  }
});

test("a queue that cannot be read is not called an empty one", async () => {
  const device = await openProfile({
    viewport: { width: 390, height: 844 },
    serviceWorkers: "block",
  });
  try {
    const { page } = device;
    await new LoginPage(page).enter(app.url, {
      email: "ada@example.com",
      password: "Kirschkuchen-7",
    });
    await page.route("**/assets/browser-client-*.js", (route) => route.abort());
    const outbox = new OutboxPage(page);
    await outbox.open(app.url);
    await page.getByTestId("outbox-failed").getByText("We can't show what's waiting").waitFor();
    expect(await outbox.empty.count()).toBe(0);
  } finally {
    await device.close();
  }
});
