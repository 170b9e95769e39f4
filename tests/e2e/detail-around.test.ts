/** What stands around one medium: its tags, the person's others, what is gone when one steps to it, and what admins may take away. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { type SeededMedium, seedMedia } from "@tests/support/seed-media";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";
import { MediaPage } from "./pages/media-page";

const ROWS = 65;
const idOf = (i: number) => `around${String(i).padStart(9, "0")}`;
let app: App;
let superuser: SignedIn;
let owner: SignedIn;
let profile: Profile;
let page: Page;
let media: MediaPage;

const medium = (i: number): SeededMedium => ({
  id: idOf(i),
  caption: `Picture ${i}`,
  age: i + 1,
  ...(i % 20 === 3 && { tags: ["night sky", "hills"] }),
});
const remove = (i: number) =>
  app.api("DELETE", `/api/collections/media/records/${idOf(i)}`, undefined, superuser.token);
const others = () => page.getByTestId("more-from-item");
const idsOfOthers = () =>
  others().evaluateAll((all) => all.map((one) => one.getAttribute("data-media-id")));

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  owner = await signUp(app, { username: "marie.sommer" });
  const rows = Array.from({ length: ROWS }, (_, i) => medium(i));
  await seedMedia(app, superuser.token, owner.id, rows);
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  page = profile.page;
  media = new MediaPage(page);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("a tag of a medium leads to what is tagged so, and Back to the medium", async () => {
  await media.open(app.url, idOf(3));
  await media.shows(idOf(3));
  expect(await page.getByTestId("tag").allTextContents()).toEqual(["#night sky", "#hills"]);
  await page.getByTestId("tag").first().click();
  await page.waitForURL(`${app.url}/tag/night%20sky`);
  const gallery = new GalleryPage(page);
  const captions = () => gallery.cards.locator("strong").allTextContents();
  await expect.poll(captions).toEqual(["Picture 3", "Picture 23", "Picture 43", "Picture 63"]);
  await page.goBack();
  await media.shows(idOf(3));
});

test("'More from' shows the person's others, newest first, thirty of them at a time", async () => {
  await media.open(app.url, idOf(50));
  await media.shows(idOf(50));
  await page.getByRole("heading", { name: "More from marie.sommer" }).waitFor();
  await expect.poll(() => others().count()).toBe(30);
  expect((await idsOfOthers()).slice(0, 3)).toEqual([0, 1, 2].map(idOf));
  const more = page.getByTestId("load-more-from");
  expect(await more.textContent()).toBe("Load 30 more media");
  await more.click();
  // The one that is shown itself is not among them.
  await expect.poll(() => others().count()).toBe(59);
  await more.click();
  await expect.poll(() => others().count()).toBe(ROWS - 1);
  await more.waitFor({ state: "detached" });
  expect(await idsOfOthers()).not.toContain(idOf(50));
  await page.locator(`[data-testid="more-from-item"][data-media-id="${idOf(4)}"]`).click();
  await media.shows(idOf(4));
  await page.goBack();
  await media.shows(idOf(50));
});

test("stepping to what was deleted meanwhile goes on to the next that way, and at the end stays where one is", async () => {
  const gallery = new GalleryPage(page);
  await gallery.open(app.url);
  await gallery.untilLive();
  await gallery.openMedia("Picture 10");
  await media.shows(idOf(10));
  await remove(11);
  await remove(12);
  await page.getByTestId("next").click();
  await media.shows(idOf(13));
  await page.getByTestId("previous").click();
  await media.shows(idOf(10));
  await media.back.click();
  await page.waitForURL(`${app.url}/`);
  await gallery.cardById(idOf(1)).getByTestId("open-media").click();
  await media.shows(idOf(1));
  await remove(0);
  await page.getByTestId("previous").click();
  await page.getByTestId("previous").waitFor({ state: "detached" });
  await media.shows(idOf(1));
  expect(await page.getByTestId("previous").count()).toBe(0);
  await page.getByTestId("next").click();
  await media.shows(idOf(2));
});

test("an admin deletes anybody's comment after a question; others see no button for it", async () => {
  const author = await signUp(app, { username: "ben" });
  const admin = await signUp(app, { username: "ada" });
  const at = (collection: string, id = "") => `/api/collections/${collection}/records${id}`;
  const comment = { mediaId: idOf(30), userId: author.id, text: "Buy cheap lenses" };
  const made = await app.api("POST", at("comments"), comment, author.token);
  expect(made.status).toBe(200);
  await media.open(app.url, idOf(30));
  await media.comment("Buy cheap lenses").waitFor();
  expect(await page.getByTestId("delete-comment").count()).toBe(0);
  await page.getByTestId("login-to-comment").click();
  const login = new LoginPage(page);
  const stranger = await signUp(app, { username: "carl" });
  await login.signIn(stranger.email, stranger.password);
  await media.comment("Buy cheap lenses").waitFor();
  await media.commentText.waitFor();
  expect(await page.getByTestId("delete-comment").count()).toBe(0);
  await app.api("PATCH", at("users", `/${admin.id}`), { isAdmin: true }, superuser.token);
  const desk = await openProfile({ viewport: { width: 1280, height: 800 } });
  try {
    await desk.page.goto(`${app.url}/login?next=${encodeURIComponent(`/view/${idOf(30)}`)}`);
    await new LoginPage(desk.page).signIn(admin.email, admin.password);
    const theirs = new MediaPage(desk.page).comment("Buy cheap lenses");
    await theirs.getByTestId("delete-comment").click();
    await desk.page.getByText("Delete this comment?").waitFor();
    await desk.page.getByTestId("confirm").click();
    await theirs.waitFor({ state: "detached" });
    const left = () => app.api("GET", at("comments", `/${made.body.id}`));
    await expect.poll(async () => (await left()).status).toBe(404);
    const { body } = await app.api("GET", at("media", `/${idOf(30)}`));
    expect(body.comments).toBe(0);
    expect(desk.errors).toEqual([]);
  } finally {
    await desk.close();
  }
  // It goes from the screens of others too.
  await media.comment("Buy cheap lenses").waitFor({ state: "detached" });
  expect(profile.errors).toEqual([]);
});
