/** The page of one medium as people use it: looking, stepping, saying something about it, keeping it, changing it. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";

let app: App;
let superuser: SignedIn;
let owner: SignedIn;
let other: SignedIn;
let profile: Profile;
let page: Page;
let media: MediaPage;
const ids: Record<string, string> = {};

const records = (collection: string, id = ""): string =>
  `/api/collections/${collection}/records${id === "" ? "" : `/${id}`}`;

async function publish(caption: string, by: SignedIn, kind: "photo" | "video" = "photo") {
  const [name, type] =
    kind === "photo" ? ["photo.jpg", "image/jpeg"] : ["video.webm", "video/webm"];
  const form = new FormData();
  const fields = { userId: by.id, username: by.record.username, type: kind, caption };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("tags", JSON.stringify(["sea", "two words"]));
  form.set("width", "64");
  form.set("height", "48");
  form.set("contentType", type);
  form.set("file", new Blob([mediaFixture(name as "photo.jpg")], { type }), name);
  const { status, body } = await app.api("POST", records("media"), form, superuser.token);
  expect(status).toBe(200);
  ids[caption] = body.id;
}

const stored = async (collection: string, id: string) =>
  (await app.api("GET", records(collection, id), undefined, superuser.token)).body;
const commentsOn = async (caption: string): Promise<string[]> => {
  const filter = encodeURIComponent(`mediaId = '${ids[caption]}'`);
  const { body } = await app.api("GET", `${records("comments")}?filter=${filter}`);
  return body.items.map(({ text }: { text: string }) => text);
};
const openOf = async (caption: string): Promise<void> => {
  await media.open(app.url, ids[caption] ?? "");
  await media.shows(ids[caption] ?? "");
};

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  owner = await signUp(app, { username: "ada.l" });
  other = await signUp(app, { username: "ben" });
  for (const caption of ["One", "Two", "Three"]) await publish(caption, other);
  await publish("Mine", owner);
  await publish("Film", other, "video");
  profile = await openProfile({ viewport: { width: 390, height: 844 }, hasTouch: true });
  page = profile.page;
  media = new MediaPage(page);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("a visitor looks, is led to the login from where one says something, and comes back to the same place", async () => {
  await openOf("One");
  await page.waitForFunction(() => document.title.startsWith("One ·"));
  const description = () =>
    page.locator('meta[name="description"]').evaluate((meta: HTMLMetaElement) => meta.content);
  await expect.poll(description).toBe("One By ben.");
  expect(await media.menu.count()).toBe(0);
  await page.getByTestId("login-to-report").getByText("Login to Report/Delete").waitFor();
  await page.getByTestId("no-comments").waitFor();
  await page.getByTestId("login-to-comment").click();
  await new LoginPage(page).signIn(owner.email, owner.password);
  await page.waitForURL(`${app.url}/view/${ids["One"]}`);
  await media.menu.waitFor();
  await media.commentText.waitFor();
});

test("one steps through the list one came from by keys, buttons and swipes, in full screen too, and Back leads to the list", async () => {
  await page.goto(app.url);
  const gallery = new GalleryPage(page);
  await gallery.untilLive();
  await gallery.openMedia("Three");
  await media.shows(ids["Three"] ?? "");
  await page.keyboard.press("ArrowRight");
  await media.shows(ids["Two"] ?? "");
  await page.getByTestId("next").click();
  await media.shows(ids["One"] ?? "");
  expect(await page.getByTestId("next").count()).toBe(0);
  await page.getByTestId("full-screen").click();
  await page.locator('[data-testid="stage"][data-full="true"]').waitFor();
  await swipe(page, 300, 100);
  await swipe(page, 100, 300);
  await media.shows(ids["Two"] ?? "");
  await page.locator('[data-testid="stage"][data-full="true"]').waitFor();
  await page.getByTestId("full-screen").click();
  await page.locator('[data-testid="stage"][data-full="false"]').waitFor();
  await media.back.click();
  await page.waitForURL(`${app.url}/`);
  await gallery.card("Three").waitFor();
});

test("what is looked at follows the finger, on a video and from the arrows too, and springs back where it is let go", async () => {
  await page.goto(app.url);
  const gallery = new GalleryPage(page);
  await gallery.untilLive();
  await gallery.openMedia("Film");
  await media.shows(ids["Film"] ?? "");
  // A tap stays the button's.
  await page.getByTestId("next").tap();
  await media.shows(ids["Mine"] ?? "");
  await page.getByTestId("previous").tap();
  await media.shows(ids["Film"] ?? "");
  const offset = () =>
    page
      .getByTestId("stage-picture")
      .evaluate((element) => Math.round(new DOMMatrix(getComputedStyle(element).transform).e));
  const middle = async (testId: string): Promise<Finger> => {
    const box = await page.getByTestId(testId).boundingBox();
    if (box === null) throw new Error(`no ${testId}`);
    // Above the middle: a video's own controls lie at its lower edge.
    return { x: box.x + box.width / 2, y: box.y + box.height / 3 };
  };
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: Finger[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
  const film = await middle("video");
  await touch("touchStart", film);
  await touch("touchMove", { ...film, x: film.x - 20 });
  await touch("touchMove", { ...film, x: film.x - 42 });
  await expect.poll(offset).toBe(-42);
  await touch("touchEnd");
  await expect.poll(offset).toBe(0);
  await media.shows(ids["Film"] ?? "");
  await drag(page, [{ from: film, to: { ...film, x: film.x - 120 } }]);
  await media.shows(ids["Mine"] ?? "");
  const next = await middle("next");
  await drag(page, [{ from: next, to: { ...next, x: next.x - 150 } }]);
  await media.shows(ids["Three"] ?? "");
  const previous = await middle("previous");
  await drag(page, [{ from: previous, to: { ...previous, x: previous.x + 150 } }]);
  await media.shows(ids["Mine"] ?? "");
});

test("a picture is magnified by keys, wheel and pinch, pushed about, and never leaves its frame", async () => {
  await openOf("Two");
  await media.stage.focus();
  const scale = async () => Number(await media.stage.getAttribute("data-scale"));
  await page.keyboard.press("+");
  await expect.poll(scale).toBe(1.5);
  await page.keyboard.press("ArrowRight");
  await media.shows(ids["Two"] ?? "");
  await page.keyboard.press("Escape");
  await expect.poll(scale).toBe(1);
  expect(await media.detail.getAttribute("data-media-id")).toBe(ids["Two"]);
  await media.stage.hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  await expect.poll(scale).toBeGreaterThan(1);
  await page.keyboard.press("0");
  await expect.poll(scale).toBe(1);
  await pinch(page);
  await expect.poll(scale).toBeGreaterThan(1.5);
  await page.keyboard.press("0");
  await expect.poll(scale).toBe(1);
});

test("a double tap likes; a comment stands at once, waits without a server, is sent later, and is deleted after a question", async () => {
  await openOf("One");
  const box = await media.stage.boundingBox();
  if (box === null) throw new Error("no stage");
  // Two taps make one where the machine is slow; a second try changes nothing that stands.
  const tapTwice = async () => {
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 3);
    return media.like.getAttribute("aria-pressed");
  };
  await expect.poll(tapTwice).toBe("true");
  await media.write("Lovely light");
  await media.commentIn("Lovely light", "stored").waitFor();
  expect(await commentsOn("One")).toEqual(["Lovely light"]);
  expect(await media.commentText.inputValue()).toBe("");
  await app.stop();
  await media.write("From the tunnel");
  await media.comment("From the tunnel").getByTestId("comment-pending").waitFor();
  await app.restart();
  await media.commentIn("From the tunnel", "stored").waitFor();
  expect((await commentsOn("One")).sort()).toEqual(["From the tunnel", "Lovely light"]);
  await media.comment("Lovely light").getByTestId("delete-comment").click();
  await page.getByText("Delete this comment?").waitFor();
  await page.getByTestId("confirm").click();
  await media.comment("Lovely light").waitFor({ state: "detached" });
  await expect.poll(() => commentsOn("One")).toEqual(["From the tunnel"]);
});

test("a double tap is felt where the device vibrates, unless Settings say otherwise", async () => {
  const buzzes = () => page.evaluate(() => (globalThis as unknown as { buzzes: number }).buzzes);
  const tapTwice = async () => {
    await openOf("One");
    await page.evaluate(() => {
      const counter = globalThis as unknown as { buzzes: number };
      counter.buzzes = 0;
      navigator.vibrate = () => {
        counter.buzzes += 1;
        return true;
      };
    });
    if ((await media.like.getAttribute("aria-pressed")) === "true") await media.like.click();
    await expect.poll(() => media.like.getAttribute("aria-pressed")).toBe("false");
    const box = await media.stage.boundingBox();
    if (box === null) throw new Error("no stage");
    await expect
      .poll(async () => {
        await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 3);
        return page.getByTestId("like-burst").count();
      })
      .toBeGreaterThan(0);
  };
  await tapTwice();
  expect(await buzzes()).toBeGreaterThan(0);
  await page.goto(`${app.url}/profile?tab=settings`);
  await page.getByTestId("vibrates").click();
  await tapTwice();
  expect(await buzzes()).toBe(0);
});

test("the counter shows near the end, nothing blank is sent, and a refused comment keeps its words, Retry and Discard", async () => {
  await openOf("Two");
  const left = page.getByTestId("comment-left");
  await media.commentText.fill("x".repeat(1_990));
  await left.getByText("10 characters left").waitFor();
  await media.commentText.fill("x".repeat(2_001));
  await left.getByText("1 character over the limit").waitFor();
  await media.commentText.fill("   ");
  await page.keyboard.press("Control+Enter");
  const id = `${other.id}_${owner.id}`;
  const block = { id, blockerId: other.id, blockedId: owner.id };
  await app.api("POST", records("blocks"), block, other.token);
  await media.write("Do you hear me?");
  const refused = media.commentIn("Do you hear me?", "refused");
  await refused.waitFor();
  await refused.getByText(/^Not sent:/).waitFor();
  await app.api("DELETE", records("blocks", id), undefined, other.token);
  await refused.getByTestId("retry-comment").click();
  await media.commentIn("Do you hear me?", "stored").waitFor();
  expect(await commentsOn("Two")).toEqual(["Do you hear me?"]);
});

test("a report needs a reason, and said again it replaces the first", async () => {
  await openOf("Three");
  const report = async (reason: string, details: string) => {
    await media.choose("report-media");
    await page.getByTestId("send-report").click();
    await page.getByText("Please give a reason.").waitFor();
    await page.getByTestId(`reason-${reason}`).check();
    await page.getByTestId("report-details").fill(details);
    await page.getByTestId("send-report").click();
    await page.getByTestId("report-form").waitFor({ state: "detached" });
  };
  const id = `${ids["Three"]}_${owner.id}`;
  const reason = async () => (await stored("reports", id)).reason;
  await report("spam", "");
  await expect.poll(reason).toBe("Spam or advertising");
  await report("other", "It is upside down");
  await expect.poll(reason).toBe("It is upside down");
  expect((await stored("media", ids["Three"] ?? "")).reports).toBe(1);
});

test("the owner changes caption, tags and description, without a server too, and downloads the file", async () => {
  await openOf("Mine");
  await untilControlled(page);
  await app.stop();
  await media.choose("edit-media");
  await page.getByTestId("edit-caption").fill("Mine, and better");
  await page.getByTestId("edit-tags").fill("boat, , sea ");
  await page.getByTestId("edit-alt").fill("A red boat");
  await page.getByTestId("save-edit").click();
  await page.getByRole("heading", { name: "Mine, and better" }).waitFor();
  await page.getByTestId("pending-mark").waitFor();
  await app.restart();
  await page.getByTestId("pending-mark").waitFor({ state: "detached" });
  expect(await stored("media", ids["Mine"] ?? "")).toMatchObject({
    caption: "Mine, and better",
    tags: ["boat", "sea"],
    alt: "A red boat",
  });
  await expect.poll(() => media.photo.getAttribute("alt")).toBe("A red boat");
  expect(await page.getByTestId("tag").first().getAttribute("href")).toBe("/tag/boat");
  const download = page.waitForEvent("download");
  await media.choose("download-media");
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/);
});

test("the owner of a video gives it subtitles without a server too, which others turn on, and takes them away", async () => {
  await publish("Own film", owner, "video");
  await openOf("Own film");
  await untilControlled(page);
  await media.choose("edit-media");
  const input = page.getByTestId("subtitles-input");
  const file = (name: string, text: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(text),
  });
  await input.setInputFiles(file("notes.txt", "The sea is calm"));
  await page.getByText("This isn't a subtitle file.").waitFor();
  await input.setInputFiles(
    file("film.srt", "1\r\n00:00:00,000 --> 00:00:00,900\r\nDas Meer ist ruhig\r\n"),
  );
  await page.getByText("Your subtitles will be added once you save.").waitFor();
  await app.stop();
  await page.getByTestId("save-edit").click();
  await page.getByTestId("pending-mark").waitFor();
  await media.choose("edit-media");
  await page.getByText("This video has subtitles.").waitFor();
  await page.keyboard.press("Escape");
  await app.restart();
  await page.getByTestId("pending-mark").waitFor({ state: "detached" });
  const spoken = () =>
    media.video.evaluate((video: HTMLVideoElement) => {
      const [track] = video.textTracks;
      if (track) track.mode = "showing";
      return [...(track?.cues ?? [])].map((cue) => (cue as VTTCue).text);
    });
  await expect.poll(spoken).toEqual(["Das Meer ist ruhig"]);
  await media.choose("edit-media");
  await page.getByTestId("remove-subtitles").click();
  await page.getByTestId("save-edit").click();
  await media.video.locator("track").waitFor({ state: "detached" });
  await expect.poll(async () => (await stored("media", ids["Own film"] ?? "")).subtitles).toBe("");
});

test("a video kept offline plays and seeks without a server, says its size, and is let go of again", async () => {
  await page.goto(app.url);
  await untilControlled(page);
  await openOf("Film");
  const state = () => media.keep.getAttribute("data-state");
  await expect.poll(state).toBe("loose");
  expect(await media.keep.textContent()).toMatch(/[\d.]+ kB/);
  await media.keep.click();
  await expect.poll(state).toBe("kept");
  await app.stop();
  await page.reload();
  await media.shows(ids["Film"] ?? "");
  await expect.poll(state).toBe("kept");
  await expect
    .poll(() => media.video.evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThan(0);
  const seeked = media.video.evaluate(
    (video: HTMLVideoElement) =>
      new Promise<number>((resolve) => {
        video.addEventListener("seeked", () => resolve(video.currentTime), { once: true });
        video.currentTime = 0.4;
      }),
  );
  expect(await seeked).toBeCloseTo(0.4, 1);
  await media.keep.click();
  await expect.poll(state).toBe("loose");
  await app.restart();
});

test("an address of nothing leads home by the server's word, and says so where there is none; a picture is shared with its link, or the link is copied", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openOf("One");
  // A phone has a sheet of its own for this, which no test can close.
  const sheet = (takesFiles: boolean) =>
    page.evaluate((canShare) => {
      const told = globalThis as unknown as { shared: string[] };
      told.shared = [];
      const value = async ({ url, files = [] }: ShareData) => {
        told.shared = [url ?? "", ...files.map(({ type, size }) => `${type} ${size > 0}`)];
      };
      Object.defineProperty(navigator, "share", { value, configurable: true });
      Object.defineProperty(navigator, "canShare", { value: () => canShare, configurable: true });
    }, takesFiles);
  const shared = () => page.evaluate(() => (globalThis as unknown as { shared: string[] }).shared);
  const link = `${app.url}/view/one-${ids["One"]}`;
  await sheet(true);
  await page.getByTestId("share").click();
  await expect.poll(shared).toEqual([link, "image/jpeg true"]);
  await sheet(false);
  await page.getByTestId("share").click();
  await expect.poll(shared).toEqual([link]);
  await page.evaluate(() => Object.defineProperty(navigator, "share", { value: undefined }));
  await page.getByTestId("share").click();
  await page.getByText("Link copied").first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(link);
  await media.open(app.url, "nothing-abcdefghijklmno");
  await page.waitForURL(`${app.url}/`);
  await untilControlled(page);
  await app.stop();
  await media.open(app.url, "nothing-abcdefghijklmno");
  await page.getByTestId("media-not-found").getByText("You're offline").waitFor();
  await page.getByTestId("go-home").click();
  await page.waitForURL(`${app.url}/`);
  expect(profile.errors).toEqual([]);
});

type Finger = { x: number; y: number };

/** Fingers on the glass, moved together in four steps. */
async function drag(where: Page, fingers: { from: Finger; to: Finger }[]): Promise<void> {
  const cdp = await where.context().newCDPSession(where);
  const at = (part: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
    }));
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(part) });
  }
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cdp.detach();
}

const swipe = (where: Page, from: number, to: number): Promise<void> =>
  drag(where, [{ from: { x: from, y: 300 }, to: { x: to, y: 300 } }]);

async function pinch(where: Page): Promise<void> {
  const box = await where.getByTestId("stage").boundingBox();
  if (box === null) throw new Error("no stage");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await drag(where, [
    { from: { x: x - 20, y }, to: { x: x - 80, y } },
    { from: { x: x + 20, y }, to: { x: x + 80, y } },
  ]);
}
