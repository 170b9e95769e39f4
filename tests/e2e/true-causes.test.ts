/** What the app says when something is not there, cannot be asked, or is refused: the true cause, at its place. */
import { readFileSync } from "node:fs";
import { inRoot } from "@scripts/checkout.mjs";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { mediaFixture } from "@tests/support/media-fixtures";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";
import { ProfilePage } from "./pages/profile-page";

let app: App;
let operator: SignedIn;
let ann: SignedIn;
let ben: SignedIn;
let cleo: SignedIn;
let member: Profile;

const records = (collection: string, id = ""): string =>
  `/api/collections/${collection}/records${id === "" ? "" : `/${id}`}`;

async function publish(by: SignedIn, caption: string, type: "photo" | "video" = "photo") {
  const [name, contentType] =
    type === "photo"
      ? (["photo.jpg", "image/jpeg"] as const)
      : (["video.webm", "video/webm"] as const);
  const form = new FormData();
  const fields = { userId: by.id, username: by.record.username, type, caption, contentType };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("tags", "[]");
  form.set("width", "64");
  form.set("height", "48");
  form.set("file", new Blob([mediaFixture(name)], { type: contentType }), name);
  const { status, body } = await app.api("POST", records("media"), form, operator.token);
  expect(status).toBe(200);
  return body.id as string;
}

const change = async (who: SignedIn, fields: object) =>
  expect((await app.api("PATCH", records("users", who.id), fields, operator.token)).status).toBe(
    200,
  );

/** A browser without a service worker, so that a test can answer for the server. */
async function withVisitor(run: (page: Page) => Promise<void>): Promise<void> {
  const visitor = await openProfile({ serviceWorkers: "block" });
  try {
    await run(visitor.page);
    expect(visitor.errors).toEqual([]);
  } finally {
    await visitor.close();
  }
}

const broken = (page: Page, path: string) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status: 500, json: { status: 500, message: "Boom", data: {} } }),
  );

const toast = (page: Page) => page.getByTestId("toast");

beforeAll(async () => {
  app = await startApp();
  operator = await createSuperuser(app);
  ann = await signUp(app, { username: "ann.sommer" });
  ben = await signUp(app, { username: "Ben_Karlsson" });
  cleo = await signUp(app, { username: "cleo" });
  await publish(ben, "By Ben");
  await publish(await signUp(app, { username: "dan" }), "By Dan");
  await publish(ben, "A film", "video");
  member = await openProfile({ viewport: { width: 390, height: 844 } });
  await new LoginPage(member.page).enter(app.url, ann);
});

afterAll(async () => {
  await member?.close();
  await app?.stop();
});

test("a server that is broken is called broken, and nobody's fault", () =>
  withVisitor(async (page) => {
    await broken(page, "/api/collections/profiles/records?*");
    await page.goto(`${app.url}/user/cleo`);
    const person = page.getByTestId("user-not-found");
    await person.getByText("Something went wrong on our server. Please try again later.").waitFor();
    expect(await person.innerText()).not.toMatch(/nicht gefunden|offline/);

    await broken(page, "/api/collections/media/records/*");
    await page.goto(`${app.url}/view/away-abcdefghijklmno`);
    const medium = page.getByTestId("media-not-found");
    await medium.getByText("Something went wrong on our server. Please try again later.").waitFor();
    expect(await medium.innerText()).not.toMatch(/deleted|not found/);

    await broken(page, "/api/collections/users/auth-with-password*");
    const login = new LoginPage(page);
    await login.open(app.url);
    await login.signIn(cleo.email, cleo.password);
    await toast(page).getByText("Something went wrong on our server").waitFor();
    expect(await toast(page).innerText()).toContain("Login failed");
    expect(await page.getByText("Invalid email or password").count()).toBe(0);
  }));

test("a suspended person with the right password is told so, and with a wrong one is not", () =>
  withVisitor(async (page) => {
    await change(cleo, { isBlocked: true });
    const login = new LoginPage(page);
    await login.open(app.url);
    await login.signIn(cleo.email, "Not-the-password-1");
    await page.getByText("Incorrect password").waitFor();
    expect(await page.getByText("suspended").count()).toBe(0);
    await login.signIn(cleo.email, cleo.password);
    await toast(page).getByText("This account is suspended.").waitFor();
    expect(await toast(page).innerText()).toContain("Login failed");
    await change(cleo, { isBlocked: false });
  }));

test("a dead link leads home with a notice, and what is deleted while it is open says so", () =>
  withVisitor(async (page) => {
    await page.goto(`${app.url}/view/dead-abcdefghijklmno`);
    await toast(page).getByText("Media not found").waitFor();
    await page.waitForURL(`${app.url}/`);

    const id = await publish(ben, "Soon gone");
    const media = new MediaPage(page);
    await media.open(app.url, id);
    await media.shows(id);
    await app.api("DELETE", records("media", id), undefined, operator.token);
    const card = page.getByTestId("media-not-found");
    await card.getByText("It has been deleted.").waitFor();
    expect(await card.innerText()).toContain("Media not found");
    await page.getByTestId("go-home").click();
    await page.waitForURL(`${app.url}/`);

    const dora = await signUp(app, { username: "dora" });
    await page.goto(`${app.url}/user/dora`);
    await new ProfilePage(page).name.getByText("dora").waitFor();
    await app.api("DELETE", records("users", dora.id), undefined, operator.token);
    const person = page.getByTestId("user-not-found");
    await person.getByText("Benutzer nicht gefunden").waitFor();
    await person.getByText("This account has been deleted.").waitFor();
  }));

test("signing in leads back to where one was going", () =>
  withVisitor(async (page) => {
    const chat = [ann.id, ben.id].sort().join("_");
    const login = new LoginPage(page);
    await page.goto(`${app.url}/chat/${chat}`);
    await page.waitForURL(/\/login\?/);
    await login.signIn(ann.email, ann.password);
    await page.waitForURL(`${app.url}/chat/${chat}`);
    await page.getByTestId("profile-menu").click();
    await page.getByTestId("logout").click();
    await page.waitForURL(`${app.url}/login`);

    await page.goto(`${app.url}/profile?tab=settings`);
    await page.waitForURL(/\/login\?/);
    await login.signIn(ann.email, ann.password);
    await page.waitForURL(`${app.url}/profile?tab=settings`);
    await page.getByTestId("profile-menu").click();
    await page.getByTestId("logout").click();
    await page.waitForURL(`${app.url}/login`);

    await page.goto(`${app.url}/upload`);
    await page.getByTestId("sign-in-required").getByRole("link").click();
    await login.signIn(ann.email, ann.password);
    await page.waitForURL(`${app.url}/upload`);
  }));

test("a picture that cannot be one's own, and new passwords that differ, are refused at their field", async () => {
  const { page } = member;
  const profile = new ProfilePage(page);
  await profile.openOwn(app.url, "settings");
  const picture = page.getByTestId("picture-input");
  const fault = page.getByTestId("picture-fault");
  const text = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };
  await picture.setInputFiles([text]);
  await fault.getByText("Nur Bilddateien sind als Profilbild erlaubt.").waitFor();
  const large = { ...text, name: "large.png", buffer: Buffer.alloc(2 * 1024 * 1024 + 1) };
  await picture.setInputFiles([large]);
  await fault.getByText("Profilbild darf maximal 2MB groß sein.").waitFor();
  expect(await fault.locator("[lang=de]").count()).toBe(1);
  const heic = (name: string) => ({
    name,
    mimeType: "image/heic",
    buffer: readFileSync(inRoot(`tests/files/${name}`)),
  });
  await picture.setInputFiles([heic("heic-cut.heic")]);
  await fault.getByText("This HEIC photo can't be opened here.").waitFor();
  const photo = { ...text, name: "photo.jpg", buffer: Buffer.from(mediaFixture("photo.jpg")) };
  for (const good of [photo, heic("plain.heic")]) {
    await picture.setInputFiles([good]);
    await page.getByTestId("crop-stage").waitFor();
    expect(await fault.count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByTestId("crop-stage").waitFor({ state: "detached" });
  }

  await page.getByTestId("save-password").click();
  await page.getByText("Password is required").first().waitFor();
  await page.getByTestId("password-current").fill(ann.password);
  await page.getByTestId("password-next").fill("short");
  await page.getByTestId("password-confirmation").fill("other");
  await page.getByTestId("save-password").click();
  await page.getByText("Your new password needs at least 6 characters").waitFor();
  await page.getByText("Passwords do not match").waitFor();
});

test("a chat says that it is closed before one has typed, and that it takes pictures only", async () => {
  const { page } = member;
  const chat = [ann.id, ben.id].sort().join("_");
  const [userA, userB] = [ann.id, ben.id].sort();
  await app.api("POST", records("conversations"), { id: chat, userA, userB }, ben.token);
  await page.goto(`${app.url}/chat/${chat}`);
  const input = page.getByTestId("message-input");
  await input.waitFor();
  const text = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };
  await page.getByTestId("attach-photo").setInputFiles([text]);
  await page.getByTestId("photo-fault").getByText("Only photos can be sent here.").waitFor();
  await change(ann, { chatDisabled: true });
  const closed = page.getByTestId("closed-bar");
  await closed.getByText("Chat is turned off for your account.").waitFor();
  expect(await input.count()).toBe(0);
  await change(ann, { chatDisabled: false });
  await input.waitFor();

  const eve = await signUp(app, { username: "eve" });
  const other = [ann.id, eve.id].sort().join("_");
  const [first, second] = [ann.id, eve.id].sort();
  const body = { id: other, userA: first, userB: second };
  await app.api("POST", records("conversations"), body, eve.token);
  await page.goto(`${app.url}/chat/${other}`);
  await input.waitFor();
  await app.api("DELETE", records("users", eve.id), undefined, operator.token);
  await closed.getByText("This account no longer exists.").waitFor();
});

test("the draft of a comment is there again after leaving, and gone after a sign-out", async () => {
  const { page } = member;
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.card("By Ben").getByRole("link").first().click();
  const comment = page.getByTestId("comment-text");
  await comment.fill("Half a thought");
  await page.getByTestId("back").click();
  await gallery.card("By Ben").getByRole("link").first().click();
  expect(await comment.inputValue()).toBe("Half a thought");
  await page.reload();
  await expect.poll(() => comment.inputValue()).toBe("Half a thought");
  await page.getByTestId("profile-menu").click();
  await page.getByTestId("logout").click();
  await page.getByTestId("login-link").waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).not.toContain("Half a thought");
  await new LoginPage(page).enter(app.url, ann);
});

test("'Load more' waits for a press unless Settings say otherwise, and the end says that it is the end", async () => {
  for (let i = 0; i < 64; i++) await publish(cleo, `Row ${i}`);
  const { page } = member;
  const shown = async () =>
    Number(await page.locator("li[aria-setsize]").first().getAttribute("aria-setsize"));
  const toEnd = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.goto(app.url);
  const more = page.getByTestId("load-more");
  await more.click();
  await expect.poll(shown).toBe(60);
  await toEnd();
  await more.waitFor();
  expect(await shown()).toBe(60);
  await more.click();
  await page.getByTestId("all-seen").getByText("You have seen everything").waitFor();
  expect(await more.count()).toBe(0);

  await page.goto(`${app.url}/profile?tab=settings`);
  await page.getByTestId("endless").click();
  await page.goto(app.url);
  // The first screen of the last visit has fewer cards, and another end.
  await new GalleryPage(page).untilLive();
  await toEnd();
  await expect.poll(shown).toBeGreaterThanOrEqual(60);
});

test("without a network, whoever shared what is here has a page, a chat can begin, and a film says what it needs", async () => {
  const late = await openProfile({ viewport: { width: 390, height: 844 } });
  const { page } = late;
  // The gallery asks for its people's pictures. Without an answer it has their media alone.
  await broken(page, "/api/collections/profiles/records?*");
  await new LoginPage(page).enter(app.url, ann);
  await page.goto(app.url);
  await page.locator("li[aria-setsize]").first().waitFor();
  await untilControlled(page);
  const { body } = await app.api(
    "GET",
    `${records("media")}?filter=${encodeURIComponent("caption = 'A film'")}`,
  );
  // Its page has been here, and its file has not.
  await page.goto(`${app.url}/view/${body.items[0].id}`);
  await page.getByTestId("media-detail").waitFor();
  await page.unrouteAll();
  await page.goto(`${app.url}/user/cleo`);
  await new ProfilePage(page).message.waitFor();
  await page.goto(`${app.url}/terms`);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name.includes("media")) await caches.delete(name);
  });
  const cdp = await late.context.newCDPSession(page);
  await cdp.send("Network.clearBrowserCache");
  await app.stop();
  await page.goto(`${app.url}/user/DAN`);
  const profile = new ProfilePage(page);
  await profile.name.getByText("dan").waitFor();
  await page.getByTestId("profile-partial").waitFor();
  await profile.cards.first().waitFor();
  await profile.message.click();
  await page.getByTestId("chat-partner").getByText("dan").waitFor();
  await page.getByTestId("message-input").fill("Are you there?");
  await page.getByTestId("send-message").click();
  await page.getByText("Are you there?").first().waitFor();

  await page.goto(`${app.url}/user/never.seen`);
  const unknown = page.getByTestId("user-not-found");
  await unknown.getByText("You're offline").waitFor();
  expect(await unknown.innerText()).not.toContain("nicht gefunden");

  await page.goto(`${app.url}/view/${body.items[0].id}`);
  await page.getByText("It will play once you're online.").waitFor();
  await app.restart();
  await page.getByText("It will play once you're online.").waitFor({ state: "detached" });
  expect(late.errors).toEqual([]);
  await late.close();
});
