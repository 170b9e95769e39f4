/**
 * The main job, told once for all browsers: a visitor signs up, uploads a photo and a video, likes,
 * comments and chats, loses the server, goes on with all of it, and gets it back.
 */
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { App } from "./browser";
import { type Device, type Part, part } from "./device";
import type { FixtureName } from "./media-fixtures";
import { PAGE_MS } from "./patience";
import { type SignedIn, signUp } from "./pocketbase";
import { isClaimed } from "./until-controlled";

export const fixture = (name: FixtureName): string =>
  fileURLToPath(new URL(`./fixtures/media/${name}`, import.meta.url));

const card = (caption: string): Part => part("media-card", caption);
const inDetail = (testId: string): Part => [...part("media-detail"), ...part(testId)];
const state = (testId: string, attribute: string, text: string): Part => [
  { css: `[data-testid="${testId}"]${attribute}`, text },
];

/** Signs up on the form and waits for the gallery. */
export async function signUpOn(device: Device, app: App, username: string): Promise<void> {
  await device.open(`${app.url}/signup`);
  await device.types(part("email"), `${username}@example.com`);
  await device.types(part("username"), username);
  await device.types(part("password"), "Kirschkuchen-7");
  await device.types(part("passwordConfirm"), "Kirschkuchen-7");
  await device.click(part("terms"));
  await device.click(part("submit-signup"));
  await device.sees(part("toast", "Account created successfully!"));
  await device.sees(part("profile-menu"));
}

/** From the gallery, and back to it. */
export async function uploadOn(device: Device, files: readonly string[], caption: string) {
  await device.click(part("upload-button"));
  await device.picks(part("file-input"), files);
  await device.types(part("caption"), caption);
  await device.types(part("tags"), "sea, Küste");
  await device.click(part("rights"));
  await device.click(part("submit-upload"));
  await device.sees(card(caption));
}

/** Waits until the service worker answers for this page. */
async function untilControlled(device: Device): Promise<void> {
  if (!(await device.run(isClaimed, null))) await device.reload();
}

/** Waits until every card with that caption shows its picture. */
export async function untilPainted(device: Device, caption: string): Promise<void> {
  await device.sees([...card(caption), { css: "img" }]);
  const sizes = await device.run(async (text) => {
    const cards = [...document.querySelectorAll('[data-testid="media-card"]')];
    const own = cards.filter(({ textContent }) => textContent?.includes(text));
    const pictures = own.flatMap((element) => [...element.querySelectorAll("img")]);
    await Promise.all(pictures.map((picture) => picture.decode()));
    return pictures.map(({ naturalWidth }) => naturalWidth);
  }, caption);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes).not.toContain(0);
}

/** Plays the video on this page, stops it and jumps to its middle. */
const playAndSeek = (device: Device) =>
  device.run(async () => {
    const video = document.querySelector<HTMLVideoElement>('[data-testid="video"]');
    if (video === null) throw new Error("no video");
    video.muted = true;
    await video.play();
    video.pause();
    const middle = video.duration / 2;
    const seeked = new Promise((resolve, reject) => {
      video.addEventListener("seeked", resolve, { once: true });
      video.addEventListener("error", reject, { once: true });
    });
    video.currentTime = middle;
    await seeked;
    // WebKit knows the width again some frames after the jump.
    while (video.videoWidth === 0) await new Promise((next) => requestAnimationFrame(next));
    return { off: Math.abs(video.currentTime - middle), width: video.videoWidth };
  }, null);

async function openVideo(device: Device, caption: string): Promise<void> {
  await device.click([
    { css: '[data-testid="media-card"]:has([data-testid="video-mark"])', text: caption },
    ...part("open-media"),
  ]);
  await device.sees(part("video"));
}

/**
 * What is asked for is shown before it is on the disk, and texts are kept as drafts until then. A
 * page that is left in that moment drops the rest.
 */
const untilQueued = (device: Device, ...kinds: string[]) =>
  expect.poll(() => device.run(readQueue, null), PATIENT).toEqual(expect.arrayContaining(kinds));

async function readQueue(): Promise<unknown[]> {
  const done = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const kinds: unknown[] = [];
  for (const { name = "" } of await indexedDB.databases()) {
    if (!name.endsWith("--outbox")) continue;
    const database = await done(indexedDB.open(name));
    const rows = await done(database.transaction("docs").objectStore("docs").getAll());
    kinds.push(...rows.map(({ kind }) => kind));
    database.close();
  }
  return kinds;
}

async function writeComment(device: Device, text: string, fate: string): Promise<void> {
  await device.types(part("comment-text"), text);
  await device.click(part("send-comment"));
  await device.sees(state("comment", `[data-state="${fate}"]`, text));
}

async function writeMessage(device: Device, text: string, fate: string): Promise<void> {
  await device.types(part("message-input"), text);
  await device.click(part("send-message"));
  await device.sees(state("message", `[data-fate="${fate}"]`, text));
}

/** What the server holds, as the partner may see it. */
function ledger(app: App, partner: SignedIn) {
  const rows = async (collection: string, filter: string) => {
    const query = new URLSearchParams({ perPage: "100", ...(filter && { filter }) });
    const path = `/api/collections/${collection}/records?${query}`;
    return (await app.api("GET", path, undefined, partner.token)).body.items;
  };
  return {
    media: async (caption: string): Promise<{ id: string; type: string; likes: number }[]> =>
      rows("media", `caption = "${caption}"`),
    comments: async (mediaId: string): Promise<string[]> =>
      (await rows("comments", `mediaId = "${mediaId}"`)).map(({ text }: { text: string }) => text),
    messages: async (chat: string): Promise<string[]> =>
      (await rows("messages", `conversationId = "${chat}"`)).map(
        ({ message }: { message: string }) => message,
      ),
  };
}

/** All that was done without the server waits on this device. A view may wait there too. */
async function seesQueue(device: Device): Promise<void> {
  for (const what of ["Into the tunnel", "Still here", "Upload", "Like"]) {
    await device.sees(part("outbox-item", what));
  }
}

const PATIENT = { timeout: PAGE_MS, interval: 250 };

export async function takeJourney(app: App, device: Device): Promise<void> {
  const partner = await signUp(app, { username: "ben.k" });
  const server = ledger(app, partner);
  const expectNoUpdate = () => expect(device.count(part("update-prompt"))).resolves.toBe(0);

  await device.open(app.url);
  await untilControlled(device);
  await expectNoUpdate();
  await signUpOn(device, app, "ada.l");
  await uploadOn(device, [fixture("halves.jpg"), fixture("video.webm")], "By the sea");
  await device.sees(part("toast", "Upload successful!"));
  await expect.poll(() => device.count(card("By the sea")), PATIENT).toBe(2);
  await untilPainted(device, "By the sea");
  const shared = await server.media("By the sea");
  expect(shared.map(({ type }) => type).sort()).toEqual(["photo", "video"]);
  const video = shared.find(({ type }) => type === "video")?.id ?? "";

  await openVideo(device, "By the sea");
  expect(await playAndSeek(device)).toEqual({ off: expect.closeTo(0, 1), width: 64 });
  await device.click(inDetail("like"));
  await writeComment(device, "What a day", "stored");
  await expect.poll(() => server.comments(video), PATIENT).toEqual(["What a day"]);
  await expect
    .poll(async () => (await server.media("By the sea")).map(({ likes }) => likes).sort(), PATIENT)
    .toEqual([0, 1]);

  await device.click(part("back"));
  await device.click(part("chats-button"));
  await device.types(part("chat-username"), "ben.k");
  await device.click(part("submit-start-chat"));
  await device.sees(part("chat-partner", "ben.k"));
  await writeMessage(device, "Hello Ben", "sent");
  const chat = new URL(await device.address()).pathname.split("/").at(-1) ?? "";
  const answer = { conversationId: chat, senderId: partner.id, message: "Hi Ada", type: "text" };
  await app.api("POST", "/api/collections/messages/records", answer, partner.token);
  await device.sees(part("message", "Hi Ada"));

  await app.stop();
  await device.reload();
  await device.sees(part("message", "Hi Ada"));
  await writeMessage(device, "Into the tunnel", "waiting");
  await untilQueued(device, "message.send");
  await device.open(app.url);
  await expect.poll(() => device.count(card("By the sea")), PATIENT).toBe(2);
  await untilPainted(device, "By the sea");
  await openVideo(device, "By the sea");
  expect(await playAndSeek(device)).toEqual({ off: expect.closeTo(0, 1), width: 64 });
  await writeComment(device, "Still here", "waiting");
  await device.click(part("back"));
  await uploadOn(device, [fixture("photo.jpg")], "From the tunnel");
  const mark = [...card("From the tunnel"), ...part("pending-mark")];
  await device.sees(mark);
  await device.click([...card("From the tunnel"), ...part("like")]);
  await device.click(part("waiting-mark"));
  await seesQueue(device);
  await untilQueued(device, "comment.create", "media.create", "like.set");
  await device.reload();
  await seesQueue(device);
  await device.open(app.url);
  await device.sees(mark);
  await untilPainted(device, "From the tunnel");
  await device.open(`${app.url}/outbox`);

  await app.restart();
  await device.sees(part("outbox-empty"));
  await expect.poll(() => server.media("From the tunnel"), PATIENT).toMatchObject([{ likes: 1 }]);
  expect((await server.comments(video)).sort()).toEqual(["Still here", "What a day"]);
  expect((await server.messages(chat)).sort()).toEqual(["Hello Ben", "Hi Ada", "Into the tunnel"]);
  await device.open(app.url);
  await device.sees(card("From the tunnel"));
  await device.misses(mark);
  expect(await device.count(card("From the tunnel"))).toBe(1);
  await expectNoUpdate();
  expect(device.errors).toEqual([]);
}
