/** The composer on a phone: the bubble comes with the tap, pictures come from everywhere, and the keyboard hides nothing. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto, noisePhoto } from "@tests/support/draw-photo";
import { jpegWithSecrets, SECRET } from "@tests/support/exif";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ChatPage } from "./pages/chat-page";
import { LoginPage } from "./pages/login-page";
import { type PickedFile, photoFile } from "./pages/upload-page";

const PHONE = { width: 390, height: 844 };
let app: App;
let profile: Profile;
let page: Page;
let chat: ChatPage;
let ada: SignedIn;
let ben: SignedIn;
let conversation: string;

beforeAll(async () => {
  app = await startApp();
  [ada, ben] = [await signUp(app, { username: "ada.l" }), await signUp(app, { username: "ben.k" })];
  const participants = [ada.id, ben.id].sort();
  conversation = participants.join("_");
  const body = { id: conversation, participants };
  await app.api("POST", "/api/collections/conversations/records", body, ada.token);
  profile = await openProfile({ viewport: PHONE, hasTouch: true, isMobile: true });
  page = profile.page;
  chat = new ChatPage(page);
  await new LoginPage(page).enter(app.url, ada);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

beforeEach(async () => {
  await page.goto(`${app.url}/chat/${conversation}`);
  await page.locator('[data-testid="send-message"]').waitFor();
  await chat.partner.getByText("ben.k").waitFor();
});

const rowOf = async (message: string) => {
  const filter = encodeURIComponent(`message = "${message}"`);
  const path = `/api/collections/messages/records?filter=${filter}`;
  return (await app.api("GET", path, undefined, ben.token)).body.items[0];
};

/** Writes each text and taps on Send, all in a frame of the browser's, and looks before that frame is drawn. */
const tapAndLook = (...texts: string[]) =>
  page.evaluate((wanted) => {
    const find = <T extends Element>(id: string) =>
      document.querySelector<T>(`[data-testid="${id}"]`) as T;
    const field = find<HTMLTextAreaElement>("message-input");
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value") ?? {};
    // Promises alone: no disk, no network, no timer and no frame comes between.
    const pass = async () => {
      for (let i = 0; i < 500; i++) await null;
    };
    const shown = () =>
      [...document.querySelectorAll('[data-testid="message-text"]')].map((one) => one.textContent);
    const draft = () => Object.values(localStorage).join("\n").split("\n");
    return new Promise<{ shown: boolean; field: string; kept: boolean }>((resolve) => {
      requestAnimationFrame(async () => {
        for (const text of wanted) {
          set?.call(field, text);
          field.dispatchEvent(new Event("input", { bubbles: true }));
          await pass();
          find<HTMLButtonElement>("send-message").click();
          await pass();
        }
        resolve({
          shown: wanted.every((text) => shown().includes(text)),
          field: field.value,
          kept: wanted.every((text) => draft().includes(text)),
        });
      });
    });
  }, texts);

/** Every write into the queue fails from now on, as on a full disk, until the page is loaded anew. */
const fillDisk = () =>
  page.evaluate(() => {
    const isQueue = (store: IDBObjectStore) => store.transaction.db.name.endsWith("--outbox");
    for (const name of ["add", "put"] as const) {
      const write = IDBObjectStore.prototype[name];
      IDBObjectStore.prototype[name] = function (this: IDBObjectStore, ...args) {
        if (isQueue(this)) throw new DOMException("No room", "QuotaExceededError");
        return write.apply(this, args);
      };
    }
  });

test("a message stands in the frame of the tap, before it lies on the disk, and its draft is kept until it does", async () => {
  await chat.write("The first, which opens the list");
  await chat.messageIn("The first, which opens the list", "sent").waitFor();
  for (const text of ["In this very frame", "And this one too"]) {
    expect(await tapAndLook(text)).toEqual({ shown: true, field: "", kept: true });
    await chat.messageIn(text, "sent").waitFor();
    const left = () =>
      page.evaluate((wanted) => Object.values(localStorage).includes(wanted), text);
    await expect.poll(left).toBe(false);
  }
});

test("a message that the device cannot keep is taken back, told, and stands in the field again, also after a reload", async () => {
  await chat.write("There was room for this");
  await chat.messageIn("There was room for this", "sent").waitFor();
  await fillDisk();
  expect(await tapAndLook("No room for this")).toMatchObject({ shown: true, kept: true });
  await page
    .getByTestId("toast")
    .getByText(/Speicherplatz|gesendet/)
    .waitFor();
  await expect.poll(() => chat.input.inputValue()).toBe("No room for this");
  expect(await chat.message("No room for this").count()).toBe(0);
  await page.reload();
  await chat.partner.getByText("ben.k").waitFor();
  expect(await chat.input.inputValue()).toBe("No room for this");
  await chat.send.click();
  await chat.messageIn("No room for this", "sent").waitFor();
  expect(await rowOf("No room for this")).toMatchObject({ senderId: ada.id });
});

test("messages that are written faster than the device keeps them are all sent, in their order", async () => {
  const texts = Array.from({ length: 5 }, (_, i) => `Quick ${i}`);
  expect(await tapAndLook(...texts)).toEqual({ shown: true, field: "", kept: true });
  await chat.messageIn("Quick 4", "sent").waitFor();
  const rows = await Promise.all(texts.map(rowOf));
  const places = rows.map(({ ord }) => Number(ord));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  await fillDisk();
  await tapAndLook("No room", "Nor for this");
  await expect.poll(() => chat.input.inputValue()).toBe("No room\nNor for this");
  await chat.input.fill("");
});

/** As the browser tells it when files are pasted into the field, or dropped on the page. */
const bring = (how: "paste" | "drop", files: PickedFile[]) =>
  page.evaluate(
    ({ how, files }) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const on = document.querySelector(
        `[data-testid="${how === "paste" ? "message-input" : "message-list"}"]`,
      );
      const common = { bubbles: true, cancelable: true };
      const tell = (event: Event) => !on?.dispatchEvent(event);
      if (how === "paste")
        return tell(new ClipboardEvent("paste", { ...common, clipboardData: data }));
      tell(new DragEvent("dragover", { ...common, dataTransfer: data }));
      return tell(new DragEvent("drop", { ...common, dataTransfer: data }));
    },
    {
      how,
      files: files.map(({ name, mimeType, buffer }) => ({
        name,
        type: mimeType,
        base64: buffer.toString("base64"),
      })),
    },
  );

const NOTE = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };

test("a picture is pasted, dropped, or taken with the camera", async () => {
  const taken = page.getByTestId("take-photo");
  expect(await taken.getAttribute("capture")).toBe("environment");
  expect(await taken.isVisible()).toBe(true);
  const ways: [string, (photo: PickedFile) => Promise<unknown>][] = [
    ["Pasted", (photo) => bring("paste", [photo])],
    ["Dropped", (photo) => bring("drop", [NOTE, photo])],
    ["Taken", (photo) => taken.setInputFiles([photo])],
  ];
  for (const [at, [text, give]] of ways.entries()) {
    await give(photoFile(`${text}.jpg`, await drawPhoto(profile.context, 40 + 90 * at)));
    await chat.sendPhoto(text);
    await chat.messageIn(text, "sent").waitFor();
    expect(await rowOf(text)).toMatchObject({ type: "photo", senderId: ada.id });
  }
});

test("what is no picture is passed over, and a picture that cannot be sent says why", async () => {
  for (const how of ["paste", "drop"] as const) expect(await bring(how, [NOTE])).toBe(true);
  const svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
  const whole = await drawPhoto(profile.context, 10);
  const bad = [
    { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) },
    { name: "page.png", mimeType: "image/png", buffer: Buffer.from("<!doctype html><b>x</b>") },
    { name: "half.jpg", mimeType: "image/jpeg", buffer: whole.subarray(0, 150) },
    { name: "none.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(0) },
  ];
  const said: string[] = [];
  for (const file of bad) {
    await bring("drop", [file]);
    said.push(await page.getByTestId("photo-fault").innerText());
    expect(await page.getByTestId("send-photo").getAttribute("aria-disabled")).toBe("true");
    await page.getByTestId("cancel-photo").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  expect(said.every((text) => text.length > 10)).toBe(true);
  expect(new Set(said).size).toBe(3);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a photo leaves the device without place and time, and a large one smaller", async () => {
  const noise = await noisePhoto(page, { width: 1200, height: 900 });
  const large = Buffer.from(jpegWithSecrets(noise, 1));
  const small = Buffer.from(jpegWithSecrets(await drawPhoto(profile.context, 120), 1));
  expect(large.length).toBeGreaterThan(1_048_576);
  const { token } = (await app.api("POST", "/api/files/token", {}, ben.token)).body;
  for (const [text, bytes] of [
    ["Large", large],
    ["Small", small],
  ] as const) {
    expect(bytes.includes(SECRET)).toBe(true);
    await chat.attach(photoFile(`${text}.jpg`, bytes));
    await chat.sendPhoto(text);
    await chat.messageIn(text, "sent").waitFor();
    const row = await rowOf(text);
    for (const name of [row.image, row.thumbnail]) {
      const answer = await fetch(`${app.url}/api/files/messages/${row.id}/${name}?token=${token}`);
      const arrived = Buffer.from(await answer.arrayBuffer());
      expect(arrived.subarray(0, 3).toString("hex")).toBe("ffd8ff");
      expect([arrived.includes(SECRET), arrived.includes("Exif")]).toEqual([false, false]);
      expect(arrived.length).toBeLessThan(text === "Large" ? bytes.length * 0.8 : bytes.length);
    }
  }
});

/** Lower edges of the composer and of the newest message, pixels from the top of the window. */
const edges = () =>
  page.evaluate(() => {
    const bottom = (selector: string) =>
      [...document.querySelectorAll(selector)].at(-1)?.getBoundingClientRect().bottom ?? Infinity;
    return {
      composer: bottom('[data-testid="composer"]'),
      newest: bottom('[data-testid="message"]'),
    };
  });
const within = (height: number) => async () => {
  const { composer, newest } = await edges();
  return composer <= height && composer > height - 30 && newest < composer;
};

test("the composer and the newest message stay above the phone's keyboard, whether it shrinks the page or covers it", async () => {
  for (let i = 0; i < 12; i++) await chat.write(`Line ${i}.`);
  await chat.messageIn("Line 11.", "sent").waitFor();
  await expect.poll(within(PHONE.height)).toBe(true);
  await chat.input.focus();
  // Android, as the page asks for: the page itself becomes lower.
  expect(await page.locator('meta[name="viewport"]').getAttribute("content")).toContain(
    "interactive-widget=resizes-content",
  );
  await page.setViewportSize({ width: PHONE.width, height: 480 });
  await expect.poll(within(480)).toBe(true);
  await page.setViewportSize(PHONE);
  await expect.poll(within(PHONE.height)).toBe(true);
  // Safari: the page keeps its height, and only what is seen of it becomes less.
  const seen = (height: number | null) =>
    page.evaluate((wanted) => {
      const viewport = visualViewport as EventTarget & { height?: number };
      if (wanted === null) delete viewport.height;
      else Object.defineProperty(viewport, "height", { value: wanted, configurable: true });
      viewport.dispatchEvent(new Event("resize"));
    }, height);
  await seen(500);
  await expect.poll(within(500)).toBe(true);
  await seen(null);
  await expect.poll(within(PHONE.height)).toBe(true);
  expect(profile.errors).toEqual([]);
});
