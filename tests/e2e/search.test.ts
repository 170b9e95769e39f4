/** Searching the gallery: this device at once, the server behind it, the address, people, tags, and without a connection. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { takePicture } from "@tests/support/look-at-page";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { type SeededMedium, seedMedia } from "@tests/support/seed-media";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";

/** More than a first pull takes, so that the oldest are known to the server alone. */
const ROWS = 320;
const idOf = (i: number) => `found${String(i).padStart(10, "0")}`;
let app: App;
let owner: SignedIn;
let profile: Profile;
let gallery: GalleryPage;

const medium = (i: number): SeededMedium => {
  const more: Partial<SeededMedium> =
    i === 3
      ? { caption: "Küstenstraße", tags: ["night sky"] }
      : i === 5
        ? { caption: "Waves", tags: ["küste"], type: "video" }
        : i === ROWS - 1
          ? { caption: "Old lighthouse on the coast" }
          : {};
  return { id: idOf(i), caption: `Picture ${i}`, age: i + 1, ...more };
};

beforeAll(async () => {
  app = await startApp();
  const { token } = await createSuperuser(app);
  owner = await signUp(app, { username: "marie.sommer" });
  await seedMedia(
    app,
    token,
    owner.id,
    Array.from({ length: ROWS }, (_, i) => medium(i)),
  );
  profile = await openProfile({ viewport: { width: 390, height: 844 } });
  gallery = new GalleryPage(profile.page);
  await gallery.open(app.url);
  await gallery.untilLive();
});
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const heading = () => profile.page.getByTestId("search-heading").textContent();
const captions = (): Promise<string[]> => gallery.cards.locator("strong").allTextContents();

test("what this device knows is found by the beginning of a word, and the address says what", async () => {
  const { page } = profile;
  await gallery.search.fill("kuste");
  await expect.poll(heading).toBe('Search results for "kuste" (2)');
  await expect.poll(captions).toEqual(["Küstenstraße", "Waves"]);
  await page.waitForURL(`${app.url}/?q=kuste`);
});

test("a filter narrows what was found, and offers all media when nothing is left", async () => {
  const { page } = profile;
  await gallery.filter("videos");
  await expect.poll(heading).toBe('Search results for "kuste" (1)');
  await gallery.search.fill("night");
  await page.getByText("No results found").waitFor();
  await page.getByRole("button", { name: "Search in all media" }).click();
  await expect.poll(captions).toEqual(["Küstenstraße"]);
});

test("what only the server knows comes in behind", async () => {
  await gallery.search.fill("lighthouse");
  await expect.poll(captions).toEqual(["Old lighthouse on the coast"]);
  await expect.poll(heading).toBe('Search results for "lighthouse" (1)');
});

test("people whose name matches stand in a strip above", async () => {
  await gallery.search.fill("marie");
  const person = profile.page.getByTestId("search-person");
  await expect.poll(() => person.allTextContents()).toHaveLength(1);
  expect(await person.getAttribute("href")).toBe("/user/marie.sommer");
  await gallery.cards.first().waitFor();
});

test("an address with a tag finds it, and Back from a picture finds the results where they were", async () => {
  const { page } = profile;
  await page.goto(`${app.url}/?q=${encodeURIComponent("#küste")}`);
  await expect.poll(captions).toEqual(["Waves"]);
  await expect.poll(() => gallery.search.inputValue()).toBe("#küste");
  await gallery.openMedia("Waves");
  await page.getByTestId("media-detail").waitFor();
  await page.goBack();
  await expect.poll(captions).toEqual(["Waves"]);
});

test("a tag on a card shows what is tagged so, and Back finds the gallery where it was", async () => {
  const { page } = profile;
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await page.goto(app.url);
  await gallery.untilLive();
  const tag = gallery.cardById(idOf(3)).getByTestId("card-tag");
  await tag.scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollBy({ top: 40, behavior: "instant" }));
  const before = await scrolled();
  expect(await tag.textContent()).toBe("#night sky");
  // As large as a finger, and on top of what it reaches over.
  const box = await tag.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 38);
  await page.waitForURL(`${app.url}/tag/night%20sky`);
  await expect.poll(captions).toEqual(["Küstenstraße"]);
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await gallery.untilLive();
  await expect.poll(scrolled).toBe(before);
  await page.goto(`${app.url}/?q=${encodeURIComponent("#küste")}`);
  await expect.poll(captions).toEqual(["Waves"]);
});

test("a tag has a page: the newest or the most liked, from the server and without one", async () => {
  const { page, context } = profile;
  const edit = async (i: number, body: object) => {
    const where = `/api/collections/media/records/${idOf(i)}`;
    expect((await app.api("PATCH", where, body, owner.token)).status).toBe(200);
  };
  await edit(5, { tags: ["Küste"] });
  await edit(ROWS - 2, { caption: "Long ago, #KÜSTE" });
  const fan = await signUp(app);
  const like = { mediaId: idOf(ROWS - 2), userId: fan.id };
  await app.api("POST", "/api/collections/likes/records", like, fan.token);
  await page.goto(`${app.url}/tag/k%C3%BCste`);
  await expect.poll(captions).toEqual(["Waves", "Long ago, #KÜSTE"]);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("#küste");
  expect(await page.title()).toBe("#küste · Augenblick");
  await expect.poll(heading).toBe('Search results for "#küste" (2)');
  await page.getByTestId("tag-order-popular").click();
  await expect.poll(captions).toEqual(["Long ago, #KÜSTE", "Waves"]);
  await takePicture(page, "tag");
  await context.setOffline(true);
  await page.reload();
  await expect.poll(async () => (await captions()).sort()).toEqual(["Long ago, #KÜSTE", "Waves"]);
  await page.getByTestId("device-only").waitFor();
  await context.setOffline(false);
  await page.goto(`${app.url}/tag/nobody-has-this`);
  await page.getByTestId("search-nothing").getByText("Nothing has this tag yet").waitFor();
  await page.getByTestId("back").click();
  await gallery.untilLive();
});

test("Explore shows tags and people of the week, and without a network the device's tags", async () => {
  const { page, context } = profile;
  await page.goto(app.url);
  await gallery.untilLive();
  await untilControlled(page);
  // A page that was never opened here is not here.
  await context.setOffline(true);
  await page.getByTestId("to-explore").click();
  await page.getByTestId("crash").getByText("You're offline").waitFor();
  await context.setOffline(false);
  await page.getByTestId("crash").getByRole("button", { name: "Reload" }).click();
  const tags = page.getByTestId("explore-tags-list").getByRole("link");
  await page.getByTestId("explore-tags-list").waitFor();
  expect(new URL(page.url()).pathname).toBe("/explore");
  expect(await page.title()).toBe("Explore · Augenblick");
  expect(await tags.allTextContents()).toContain("#Küste1 person");
  const people = page.getByTestId("explore-people-list").getByRole("listitem");
  expect(await people.count()).toBe(1);
  expect(await people.getAttribute("data-person")).toBe(owner.id);
  await takePicture(page, "explore");
  await context.setOffline(true);
  await page.reload();
  await page.getByText("Tags on this device").waitFor();
  expect(await tags.allTextContents()).toEqual(["#Küste"]);
  expect(await people.count()).toBe(0);
  await context.setOffline(false);
  await page.getByText("Tags of the week").waitFor();
  await tags.getByText("#Küste").click();
  await page.getByTestId("tag-page").waitFor();
  expect(decodeURIComponent(new URL(page.url()).pathname)).toBe("/tag/Küste");
  await page.goBack();
  await people.first().waitFor();
});

test("a reload finds what was found, and the place in it", async () => {
  const { page } = profile;
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  const total = () => page.locator("li[data-media-id]").first().getAttribute("aria-setsize");
  await page.goto(`${app.url}/?q=picture`);
  await expect.poll(total).toBe("30");
  await gallery.loadMore.click();
  await expect.poll(total).toBe("60");
  // Once more, while the list is still being read and the page is short.
  await page.addInitScript(() => {
    const untilDrawn = () => {
      if (document.querySelector('[data-testid="search-heading"]') === null)
        requestAnimationFrame(untilDrawn);
      else location.reload();
    };
    if (sessionStorage.getItem("again") !== null) untilDrawn();
    sessionStorage.removeItem("again");
  });
  await page.evaluate(() => {
    sessionStorage.setItem("again", "");
    // As a page that goes before it has been told of its last scroll.
    window.addEventListener("scroll", (event) => event.stopImmediatePropagation(), true);
    window.scrollTo(0, 3_000);
    location.reload();
  });
  await page.waitForFunction(() => sessionStorage.getItem("again") === null);
  await expect.poll(total).toBe("60");
  await expect.poll(scrolled).toBe(3_000);
  await page.goto(`${app.url}/?q=${encodeURIComponent("#küste")}`);
  await expect.poll(captions).toEqual(["Waves", "Long ago, #KÜSTE"]);
});

test("clearing the text brings the gallery back", async () => {
  const { page } = profile;
  await page.getByTestId("clear-search").click();
  await gallery.untilLive();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  expect(await gallery.search.evaluate((input) => input === document.activeElement)).toBe(true);
});

test("without a connection this device is searched, and says that it was only this one", async () => {
  const { page, context } = profile;
  await context.setOffline(true);
  await gallery.search.fill("picture 12");
  await expect.poll(captions).toContain("Picture 12");
  await page.getByTestId("device-only").waitFor();
  await gallery.search.fill("zeppelin");
  await page.getByText("No results found").waitFor();
  await page.getByText("We could only search this device. The rest").waitFor();
  await context.setOffline(false);
  expect(profile.errors).toEqual([]);
});
