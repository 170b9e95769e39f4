/** Liking from the gallery: at once, exact, kept offline, and without moving what one looks at. */
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { createSuperuser, signUp } from "@tests/support/pocketbase";
import { type SeededMedium, seedMedia } from "@tests/support/seed-media";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GalleryPage } from "./pages/gallery-page";
import { LoginPage } from "./pages/login-page";

const idOf = (i: number) => `likes${String(i).padStart(10, "0")}`;
let app: App;
let profile: Profile;
let gallery: GalleryPage;
let person: { email: string; password: string };

beforeAll(async () => {
  app = await startApp();
  const { token } = await createSuperuser(app);
  const owner = await signUp(app);
  person = await signUp(app);
  // Popular by views, the other way round than by age.
  const media = Array.from(
    { length: 8 },
    (_, i): SeededMedium => ({ id: idOf(i), caption: `Number ${i}`, age: i + 1, views: 10 * i }),
  );
  await seedMedia(app, token, owner.id, media);
  profile = await openProfile({ viewport: { width: 390, height: 844 }, hasTouch: true });
  gallery = new GalleryPage(profile.page);
});
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const heart = (i: number) => gallery.cardById(idOf(i)).getByTestId("like");
const stored = async (i: number): Promise<number> =>
  (await app.api("GET", `/api/collections/media/records/${idOf(i)}`)).body.likes;
const orderOf = (page: Page): Promise<(string | null)[]> =>
  page
    .locator("li[data-media-id]")
    .evaluateAll((cards) =>
      cards
        .sort(
          (a, b) =>
            Number(a.getAttribute("aria-posinset")) - Number(b.getAttribute("aria-posinset")),
        )
        .map((card) => card.getAttribute("data-media-id")),
    );
const isLike = (request: Request): boolean =>
  request.url().includes("/api/collections/likes/records") && request.method() !== "GET";

test("a visitor's heart leads to the login, and from there back to the gallery", async () => {
  const { page } = profile;
  await gallery.open(app.url);
  await gallery.untilLive();
  await heart(1).click();
  const login = new LoginPage(page);
  await login.signIn(person.email, person.password);
  await page.waitForURL(`${app.url}/`);
  await gallery.untilLive();
  await expect.poll(() => heart(1).getAttribute("aria-pressed")).toBe("false");
});

test("one tap likes, the next takes it back, and the server counts the same", async () => {
  await heart(1).click();
  await expect.poll(() => heart(1).getAttribute("data-likes")).toBe("1");
  await expect.poll(() => stored(1)).toBe(1);
  await heart(1).click();
  await expect.poll(() => heart(1).getAttribute("data-likes")).toBe("0");
  await expect.poll(() => stored(1)).toBe(0);
});

test("a tap on a page that is left in the same moment is not lost", async () => {
  const { page } = profile;
  for (const likes of [1, 0]) {
    await Promise.all([
      page.waitForEvent("load"),
      heart(1).evaluate((button: HTMLElement) => {
        button.click();
        location.reload();
      }),
    ]);
    await gallery.untilLive();
    await expect.poll(() => stored(1)).toBe(likes);
    await expect.poll(() => heart(1).getAttribute("data-likes")).toBe(String(likes));
  }
});

test("two quick taps on the picture like it and leave the gallery where it is", async () => {
  const { page } = profile;
  const picture = gallery.cardById(idOf(2)).getByTestId("open-media");
  await picture.scrollIntoViewIfNeeded();
  // In the page, as two taps over the wire may lie too far apart on a busy machine.
  await picture.evaluate((element) => {
    for (let i = 0; i < 2; i++) {
      const tap = { bubbles: true, cancelable: true, pointerType: "touch" };
      element.dispatchEvent(new PointerEvent("click", tap));
    }
  });
  await expect.poll(() => stored(2)).toBe(1);
  await expect.poll(() => heart(2).getAttribute("aria-pressed")).toBe("true");
  expect(new URL(page.url()).pathname).toBe("/");
});

test("a single tap opens the picture", async () => {
  const { page } = profile;
  await gallery.cardById(idOf(0)).getByTestId("open-media").tap();
  await page.getByTestId("media-detail").waitFor();
  await page.goBack();
  await gallery.untilLive();
});

test("Popular keeps its order while one likes, and is made anew when it is chosen again", async () => {
  const { page } = profile;
  const asked = page.waitForResponse((answer) => answer.url().includes("sort=-likes"));
  await gallery.sort("popular");
  await (await asked).finished();
  // Number 2 has the one like; behind it the most viewed.
  const before = [2, 7, 6, 5, 4, 3, 1, 0].map(idOf);
  await expect.poll(() => orderOf(page)).toEqual(before);
  // The pull that brings the new numbers to this device is what would move the cards.
  const pulled = [0, 1].map((i) =>
    page.waitForResponse(
      async (answer) =>
        answer.url().includes("/api/sync?") && (await answer.text()).includes(idOf(i)),
    ),
  );
  await heart(1).click();
  await heart(0).click();
  await Promise.all(pulled);
  await expect.poll(() => stored(0)).toBe(1);
  expect(await orderOf(page)).toEqual(before);
  await gallery.sort("latest");
  await expect.poll(() => orderOf(page)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(idOf));
  await gallery.sort("popular");
  await expect.poll(() => orderOf(page)).toEqual([2, 1, 0, 7, 6, 5, 4, 3].map(idOf));
  await gallery.sort("latest");
});

/** Keeps the queue from being written, as a busy device does, until the answer is called. */
async function holdQueue(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
    const queues = names.filter((name) => /^rxdb-dexie-augenblick-.*outbox/.test(name));
    if (queues.length === 0) throw new Error(`no queue among ${names}`);
    const held = window as unknown as { release?: boolean };
    for (const name of queues) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const stores = [...database.objectStoreNames];
      const transaction = database.transaction(stores, "readwrite");
      // A transaction stands for as long as it is asked something.
      await new Promise<void>((resolve) => {
        const ask = () => {
          const request = transaction.objectStore(stores[0] ?? "").count();
          request.onsuccess = () => {
            resolve();
            if (held.release) database.close();
            else ask();
          };
        };
        ask();
      });
    }
  });
  return () =>
    page.evaluate(() => {
      (window as unknown as { release?: boolean }).release = true;
    });
}

test("a like is painted in the frame after the tap, before the queue holds it", async () => {
  const { page } = profile;
  await heart(4).scrollIntoViewIfNeeded();
  const release = await holdQueue(page);
  await page.evaluate((id) => {
    const button = document.querySelector(`[data-media-id="${id}"] [data-testid="like"]`);
    const look = () => button?.getAttribute("aria-pressed") ?? "";
    const kept = window as unknown as { frames: string[] };
    kept.frames = [];
    // A callback runs before its frame is painted: what it finds is what the frame shows.
    button?.addEventListener("click", () => {
      kept.frames.push(look());
      requestAnimationFrame(() => {
        kept.frames.push(look());
      });
    });
  }, idOf(4));
  await heart(4).tap();
  const frames = () => page.evaluate(() => (window as unknown as { frames: string[] }).frames);
  await expect.poll(frames).toEqual(["false", "true"]);
  expect(await stored(4)).toBe(0);
  await release();
  await expect.poll(() => stored(4)).toBe(1);
  expect(await heart(4).getAttribute("aria-pressed")).toBe("true");
});

test("a tap before the client's code has come is painted at once, and kept", async () => {
  const { page } = profile;
  const client = "**/assets/browser-client-*.js";
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(client, async (route) => {
    await held;
    await route.continue();
  });
  // Out of the server, not of the service worker's cache: a route sees only what goes out.
  await page.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  });
  await page.reload();
  await heart(5).tap();
  await expect.poll(() => heart(5).getAttribute("aria-pressed")).toBe("true");
  expect(await stored(5)).toBe(0);
  release();
  await expect.poll(() => stored(5)).toBe(1);
  await gallery.untilLive();
  expect(await heart(5).getAttribute("aria-pressed")).toBe("true");
  await page.unroute(client);
});

test("many taps without a connection become at most one request", async () => {
  const { page, context } = profile;
  await context.setOffline(true);
  for (let i = 0; i < 19; i++) await heart(3).click();
  await expect.poll(() => heart(3).getAttribute("data-likes")).toBe("1");
  await heart(3).click();
  await heart(3).click();
  await expect.poll(() => heart(3).getAttribute("aria-pressed")).toBe("true");
  const requests: string[] = [];
  page.on("request", (request) => isLike(request) && requests.push(request.method()));
  await context.setOffline(false);
  await expect.poll(() => stored(3)).toBe(1);
  // The server may have it before the browser has told of the request.
  expect([[], ["POST"]]).toContainEqual(requests);
  expect(profile.errors).toEqual([]);
});
