/** Pictures that come from outside into the upload form: shared, dropped, pasted, and left by a form that was not sent. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { noisePng } from "@tests/support/noise-png";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsWith, signAdaUp } from "./pages/ada";
import { LoginPage } from "./pages/login-page";
import { type PickedFile, photoFile, UploadPage } from "./pages/upload-page";

const ADA = { email: "ada@example.com", password: "Kirschkuchen-7" };
const INBOX = "upload-inbox";
const MB = 1_048_576;
let app: App;
let ada: Profile;
let [lake, pier]: PickedFile[] = [];

beforeAll(async () => {
  app = await startApp();
  ada = await openProfile({ viewport: { width: 390, height: 844 } });
  ada.page.on("dialog", (dialog) => void dialog.accept());
  await signAdaUp(app, ada.page);
  await untilControlled(ada.page);
  [lake, pier] = await Promise.all(
    ["lake.jpg", "pier.jpg"].map(async (name, i) =>
      photoFile(name, await drawPhoto(ada.context, 90 + 90 * i)),
    ),
  );
});
afterAll(async () => {
  await ada?.close();
  await app?.stop();
});

/** What the system's share sheet sends: the form of `share_target`, as a navigation. */
async function share(page: Page, files: PickedFile[], said: Record<string, string> = {}) {
  await page.evaluate((texts) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: "/upload", enctype: "multipart/form-data" });
    const field = (name: string, about: object) =>
      form.append(Object.assign(document.createElement("input"), { name, ...about }));
    for (const [name, value] of Object.entries(texts)) field(name, { value });
    field("files", { type: "file", multiple: true, id: "shared" });
    document.body.append(form);
  }, said);
  await page.locator("#shared").setInputFiles(files);
  const opened = page.waitForEvent("domcontentloaded");
  await page.locator("#shared").evaluate((input: HTMLInputElement) => input.form?.submit());
  await opened;
  expect(new URL(page.url()).pathname).toBe("/upload");
}

const inbox = (page: Page): Promise<number> =>
  page.evaluate(async (name) => {
    // Looking with `open` would make one.
    if (!(await caches.has(name))) return 0;
    return (await (await caches.open(name)).keys()).length;
  }, INBOX);

async function stopWorker({ context, page }: Profile): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("ServiceWorker.enable");
  await cdp.send("ServiceWorker.stopAllWorkers");
  await cdp.detach();
}

const given = (file: PickedFile | undefined): PickedFile => file as PickedFile;

test("what is shared is in the form with its words, with the server gone and the worker stopped, and is sent once", async () => {
  const { page } = ada;
  const form = new UploadPage(page);
  await page.goto(app.url);
  await untilControlled(page);
  await app.stop();
  try {
    await stopWorker(ada);
    const url = "https://example.com/lake";
    await share(page, [given(lake), given(pier)], { title: "Lake", text: "Lake", url });
    await form.entry("lake.jpg").waitFor();
    expect(await form.order()).toEqual(["lake.jpg", "pier.jpg"]);
    await expect.poll(() => form.caption.inputValue()).toBe(`Lake\n${url}`);
    // A page that was thrown away by a phone opens again with them, and with the words.
    await page.reload();
    await form.entry("pier.jpg").waitFor();
    expect(await form.order()).toEqual(["lake.jpg", "pier.jpg"]);
    expect(await form.caption.inputValue()).toBe(`Lake\n${url}`);
    await form.upload([], { caption: "Shared lake" });
    await page.waitForURL(`${app.url}/`);
    expect(await inbox(page)).toBe(0);
  } finally {
    await app.restart();
  }
  await expect.poll(async () => (await rowsWith(app, "Shared lake")).length).toBe(2);
  await page.goto(`${app.url}/upload`);
  await form.submit.waitFor();
  expect(await form.entries.count()).toBe(0);
});

test("a form that was not sent gives its files to the next one, and to no other beside it", async () => {
  const { page, context } = ada;
  const form = new UploadPage(page);
  await form.open(app.url);
  await form.input.setInputFiles([given(lake)]);
  await form.caption.fill("Begun");
  await expect.poll(() => inbox(page)).toBe(1);
  const beside = await context.newPage();
  const other = new UploadPage(beside);
  await other.open(app.url);
  await share(beside, [given(pier)], { text: "Later" });
  await other.entry("pier.jpg").waitFor();
  expect(await other.order()).toEqual(["pier.jpg"]);
  await beside.close();
  await share(page, []);
  await form.entry("pier.jpg").waitFor();
  expect(await form.order()).toEqual(["lake.jpg", "pier.jpg"]);
  await form.entry("pier.jpg").getByTestId("remove-entry").click();
  await form.upload([], { caption: "Begun and ended" });
  await page.waitForURL(`${app.url}/`);
  await expect.poll(async () => (await rowsWith(app, "Begun and ended")).length).toBe(1);
  expect(await inbox(page)).toBe(0);
});

test("what is cancelled is gone", async () => {
  const { page } = ada;
  const form = new UploadPage(page);
  await form.open(app.url);
  await form.input.setInputFiles([given(lake)]);
  await form.entry("lake.jpg").waitFor();
  await page.getByTestId("cancel-upload").click();
  await page.waitForURL(`${app.url}/`);
  await expect.poll(() => inbox(page)).toBe(0);
});

test("more than a form takes is said, and what has no room is named", async () => {
  const { page, context } = ada;
  const form = new UploadPage(page);
  const many = Array.from({ length: 70 }, (_, i) => ({ ...given(lake), name: `lake-${i}.jpg` }));
  await share(page, many);
  await expect.poll(() => form.entries.count()).toBe(60);
  await page.getByText("We kept the first 60", { exact: false }).first().waitFor();
  await page.getByTestId("cancel-upload").click();
  await expect.poll(() => inbox(page)).toBe(0);
  const cdp = await context.newCDPSession(page);
  const origin = new URL(app.url).origin;
  const { usage } = await cdp.send("Storage.getUsageAndQuota", { origin });
  await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + MB });
  const noise = { name: "dunes.png", mimeType: "image/png", buffer: noisePng(1250, 1200) };
  await share(page, [noise]);
  await form.error("dunes.png").getByText("There's no space left on this device").waitFor();
  await cdp.send("Storage.overrideQuotaForOrigin", { origin });
  await page.getByTestId("cancel-upload").click();
});

test("dropped or pasted on any page, a picture goes to the form", async () => {
  const { page } = ada;
  const form = new UploadPage(page);
  const text = given(lake).buffer.toString("base64");
  /** Whether the page has taken it. */
  const bring = (kind: "dragover" | "drop" | "paste") =>
    page.evaluate(
      ([type, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], `${type}.jpg`, { type: "image/jpeg" }));
        const about = { bubbles: true, cancelable: true };
        const event =
          type === "paste"
            ? new ClipboardEvent(type, { ...about, clipboardData: data })
            : new DragEvent(type, { ...about, dataTransfer: data });
        document.querySelector("main")?.dispatchEvent(event);
        return event.defaultPrevented;
      },
      [kind, text] as const,
    );
  await page.goto(app.url);
  await page.getByTestId("profile-menu").waitFor();
  // What listens comes after the first paint.
  await expect.poll(() => bring("dragover")).toBe(true);
  await bring("drop");
  await form.entry("drop.jpg").waitFor();
  await bring("paste");
  await form.entry("paste.jpg").waitFor();
  await bring("paste");
  await expect.poll(() => form.order()).toEqual(["drop.jpg", "paste.jpg", "paste.jpg"]);
  await page.getByTestId("cancel-upload").click();
  await expect.poll(() => inbox(page)).toBe(0);
});

test("shared by nobody, it waits for whoever signs in; and goes with whoever signs out", async () => {
  const guest = await openProfile({ viewport: { width: 390, height: 844 } });
  try {
    const { page } = guest;
    const form = new UploadPage(page);
    await page.goto(app.url);
    await untilControlled(page);
    await share(page, [given(lake)]);
    await page.getByTestId("sign-in-required").getByRole("link").click();
    await new LoginPage(page).signIn(ADA.email, ADA.password);
    await form.entry("lake.jpg").waitFor();
    await page.getByTestId("profile-menu").click();
    await page.getByTestId("logout").click();
    await page.getByTestId("sign-in-required").waitFor();
    await expect.poll(() => inbox(page)).toBe(0);
    expect(guest.errors).toEqual([]);
  } finally {
    await guest.close();
  }
});
