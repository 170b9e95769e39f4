/** The service worker in a real browser, before a server that can be watched and stopped. */

import { openProfile, type Profile } from "@tests/support/browser";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type ServiceWorkerSite, serveServiceWorkerSite } from "@tests/support/service-worker-site";
import { untilControlled } from "@tests/support/until-controlled";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MediaUsage } from "@/media-cache/cache";

const MB = 1_048_576;
const ANN = "annannannannann";

let site: ServiceWorkerSite;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  profile = await openProfile({ fresh: true });
});
afterAll(async () => {
  await profile?.close();
});

// Each test has a site, and so an origin, of its own.
beforeEach(async () => {
  site = await serveServiceWorkerSite();
  page = await profile.context.newPage();
  await page.goto(site.url);
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js").then(() => undefined));
  await untilControlled(page);
  return async () => {
    await page.close();
    await site.stop();
  };
});

function serveFile(path: string, bytes: Uint8Array, type = "image/jpeg", status = 200): string {
  site.files.set(path, { bytes, type, status });
  return path;
}

/** Status and number of bytes of a request that the page makes. */
function ask(url: string, range?: string): Promise<[status: number, bytes: number]> {
  return page.evaluate(
    async ([address, bytes]) => {
      const headers: HeadersInit = bytes === undefined ? {} : { Range: bytes };
      const response = await fetch(address, { headers }).catch(() => null);
      if (response === null) return [0, 0] as [number, number];
      return [response.status, (await response.arrayBuffer()).byteLength] as [number, number];
    },
    [url, range] as const,
  );
}

/** The page's own part of the media cache, as the app calls it. */
type PageSide = typeof import("@/media-cache/cache") &
  typeof import("@/media-cache/worker-messages");
declare const mediaCache: PageSide;

const keep = (...paths: string[]): Promise<void> =>
  page.evaluate((urls) => mediaCache.fetchAndKeep(urls, () => undefined), paths);
const forget = (...paths: string[]): Promise<void> =>
  page.evaluate((urls) => mediaCache.forgetInMediaCache(urls), paths);
const usage = (): Promise<MediaUsage> => page.evaluate(() => mediaCache.readUsage());
const signOut = (): Promise<void> => page.evaluate(() => mediaCache.forgetPrivateMedia());

async function newVersionWaits(rare: readonly string[] = []): Promise<void> {
  await site.newVersion(rare);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await page.waitForFunction(async () =>
    Boolean((await navigator.serviceWorker.getRegistration())?.waiting),
  );
}

/** Resolves when the version that waits has taken over, as the app asks it to. */
const takeOver = (): Promise<void> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration) await mediaCache.letTakeOver(registration);
  });

const cachedPaths = (): Promise<string[]> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes("media"));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => url.slice(location.origin.length));
  });

const becomesCached = (path: string) => expect.poll(cachedPaths).toContain(path);

describe("the shell", () => {
  test("every route of the app starts without a server", async () => {
    await site.stop();
    for (const path of ["/", "/view/sunset-abc", "/user/jo.hn", "/chat"]) {
      await page.goto(site.url + path);
      expect(await page.locator("main").innerText()).toBe("the app");
    }
  });

  test("the addresses with a name start out of the cache, without the worker", async () => {
    await site.stop();
    const startOf = async (path: string) => {
      await page.goto(site.url + path);
      expect(await page.locator("main").innerText()).toBe("the app");
      return page.evaluate(() => {
        const [visit] = performance.getEntriesByType("navigation");
        return (visit as PerformanceNavigationTiming).workerStart > 0 ? "worker" : "cache";
      });
    };
    const paths = ["/", "/chat", "/profile", "/outbox", "/device", "/upload", "/terms", "/privacy"];
    for (const path of paths) expect([path, await startOf(path)]).toEqual([path, "cache"]);
    for (const path of ["/?x=1", "/view/sunset-abc", "/chat/abc"])
      expect([path, await startOf(path)]).toEqual([path, "worker"]);
  });

  test("a page out of the cache is that of the version that runs", async () => {
    const next = Buffer.from("<!doctype html><main>the next app</main>");
    for (const path of ["/", "/index.html"])
      site.files.set(path, { type: "text/html", bytes: next });
    await newVersionWaits();
    await site.stop();
    const visit = await profile.context.newPage();
    const said = async () => {
      await visit.goto(`${site.url}/chat`);
      return visit.locator("main").innerText();
    };
    expect(await said()).toBe("the app");
    await takeOver();
    expect(await said()).toBe("the next app");
    const pages = () =>
      page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("pages-")));
    await expect.poll(pages).toHaveLength(1);
    await visit.close();
  });

  test("of a part that few need the version before stays, for a tab that runs it", async () => {
    const [one = "", two = "", three = ""] = ["a", "b", "c"].map((version) =>
      serveFile(`/assets/panel-${version.repeat(8)}.js`, Buffer.from(version), "text/javascript"),
    );
    // A tab of the version before asks for its own when the newer one is there.
    for (const path of [two, one]) expect(await ask(path)).toEqual([200, 1]);
    await site.stop();
    for (const path of [two, one]) expect(await ask(path)).toEqual([200, 1]);
    await site.start();
    expect(await ask(three)).toEqual([200, 1]);
    await site.stop();
    const kept = await Promise.all([one, two, three].map((path) => ask(path)));
    expect(kept.map(([status]) => status)).toEqual([200, 0, 200]);
  });

  test("of such a part a device that keeps it has the new version before that runs", async () => {
    const [kept = "", next = "", other = ""] = ["news-aaaa", "news-bbbb", "mail-bbbb"].map((name) =>
      serveFile(`/assets/${name}0000.js`, Buffer.from(name), "text/javascript"),
    );
    expect(await ask(kept)).toEqual([200, 9]);
    await newVersionWaits([next, other]);
    expect(site.asked.filter((path) => path === next || path === other)).toEqual([next]);
    await site.stop();
    const asked = await Promise.all([kept, next, other].map((path) => ask(path)));
    expect(asked.map(([status]) => status)).toEqual([200, 200, 0]);
    await site.start();
  });

  test("the API and the dashboard are never answered with the app's page", async () => {
    for (const path of ["/api/health", "/_/", "/api/files/media/m1/a.jpg"]) {
      const response = await page.goto(site.url + path);
      expect([path, response?.status()]).toEqual([path, 404]);
    }
  });

  test("requests to the API are never stored", async () => {
    serveFile("/api/collections/media/records", Buffer.from("{}"), "application/json");
    expect(await ask("/api/collections/media/records")).toEqual([200, 2]);
    await site.stop();
    expect(await ask("/api/collections/media/records")).toEqual([0, 0]);
  });

  test("a new version waits until the person asks for it", async () => {
    await site.newVersion();
    const waiting = () =>
      page.evaluate(async () =>
        Boolean((await navigator.serviceWorker.getRegistration())?.waiting),
      );
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(waiting).toBe(true);
    await page.reload();
    expect(await waiting()).toBe(true);
    await takeOver();
    expect(await waiting()).toBe(false);
  });

  test("a new version is not held up by what its page or another one still waits for", async () => {
    const picture = "/api/files/media/m1/a.jpg";
    const part = "/assets/panel-aaaaaaaa.js";
    const warmed = "/api/files/media/m2/b.jpg";
    for (const path of [picture, part, warmed])
      site.files.set(path, { type: "image/jpeg", bytes: Buffer.alloc(0), hangs: true });
    const other = await profile.context.newPage();
    await other.goto(site.url);
    await untilControlled(other);
    await other.evaluate((path) => void fetch(path).catch(() => undefined), picture);
    await page.evaluate(
      ([path, ahead]) => {
        void fetch(path).catch(() => undefined);
        const urls = [location.origin + ahead, `${location.origin}/api/files/media/m3/c.jpg`];
        navigator.serviceWorker.controller?.postMessage({ type: "WARM", urls });
      },
      [part, warmed] as const,
    );
    for (const path of [picture, part, warmed]) await expect.poll(() => site.asked).toContain(path);
    await newVersionWaits();
    await takeOver();
    // What was to be warmed after that is not asked for any more.
    expect(site.asked).not.toContain("/api/files/media/m3/c.jpg");
    await other.close();
  });

  test("the browser's Background Sync reaches the pages", async () => {
    const cdp = await profile.context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const mine = registrations.find(({ scopeURL }) => scopeURL.startsWith(site.url));
        if (mine) resolve(mine.registrationId);
      });
    });
    await cdp.send("ServiceWorker.enable");
    const registrationId = await registered;
    const heard = page.evaluate(
      () =>
        new Promise((resolve) => {
          navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data.type));
          navigator.serviceWorker.startMessages();
          document.title = "listening";
        }),
    );
    await page.waitForFunction(() => document.title === "listening");
    const dispatch = { origin: site.url, registrationId, tag: "outbox", lastChance: false };
    await cdp.send("ServiceWorker.dispatchSyncEvent", dispatch);
    expect(await heard).toBe("OUTBOX_SYNC");
    await cdp.detach();
  });
});

describe("media", () => {
  test("what was shown is there without a server, whatever its query was", async () => {
    const path = serveFile("/api/files/media/m1/a.jpg", mediaFixture("photo.jpg"));
    const length = mediaFixture("photo.jpg").length;
    expect(await ask(`${path}?v=1`)).toEqual([200, length]);
    await becomesCached(path);
    const requests = site.asked.length;
    expect(await ask(`${path}?v=2`)).toEqual([200, length]);
    expect(site.asked.length).toBe(requests);
    await site.stop();
    expect(await ask(path)).toEqual([200, length]);
  });

  test("only whole, successful media are stored", async () => {
    serveFile("/api/files/media/m1/portal.jpg", Buffer.from("<html>sign in"), "text/html");
    serveFile("/api/files/media/m1/gone.jpg", Buffer.from("no"), "image/jpeg", 404);
    serveFile("/api/files/media/m1/part.mp4", mediaFixture("video.mp4"), "video/mp4");
    await ask("/api/files/media/m1/portal.jpg");
    await ask("/api/files/media/m1/gone.jpg");
    expect(await ask("/api/files/media/m1/part.mp4", "bytes=0-9")).toEqual([206, 10]);
    // Requests are answered in order, so once this one lies there the others would.
    await ask(serveFile("/api/files/media/m1/a.jpg", mediaFixture("photo.jpg")));
    await becomesCached("/api/files/media/m1/a.jpg");
    expect(await cachedPaths()).toEqual(["/api/files/media/m1/a.jpg"]);
  });

  test("a kept video answers ranges without a server", async () => {
    const video = mediaFixture("video.mp4");
    const path = serveFile("/api/files/media/m2/v.mp4", video, "video/mp4");
    await keep(path);
    await site.stop();
    expect(await ask(path, "bytes=100-199")).toEqual([206, 100]);
    expect(await ask(path, "bytes=-50")).toEqual([206, 50]);
    expect(await ask(path, `bytes=${video.length + 1}-`)).toEqual([416, 0]);
    expect(await ask(path)).toEqual([200, video.length]);
  });

  test("a kept video plays and seeks without a server", async () => {
    const path = serveFile("/api/files/media/m2/v.webm", mediaFixture("video.webm"), "video/webm");
    await keep(path);
    await site.stop();
    const time = await page.evaluate(async (src) => {
      const video = document.createElement("video");
      video.muted = true;
      video.src = src;
      await video.play();
      const seeked = new Promise((resolve) => video.addEventListener("seeked", resolve));
      video.currentTime = 0.6;
      await seeked;
      return video.currentTime;
    }, path);
    expect(time).toBeGreaterThanOrEqual(0.6);
  });

  test("what the server does not give cannot be kept, and is named", async () => {
    await expect(keep("/api/files/media/m3/no.jpg")).rejects.toThrow("/api/files/media/m3/no.jpg");
    expect(await cachedPaths()).toEqual([]);
  });

  test("deleted media leave the device", async () => {
    const path = serveFile("/api/files/media/m1/a.jpg", mediaFixture("photo.jpg"));
    await keep(path);
    expect(await cachedPaths()).toEqual([path]);
    await forget(path);
    expect(await cachedPaths()).toEqual([]);
    expect(await usage()).toMatchObject({ files: 0, bytes: 0 });
  });

  const photo = (name: string) =>
    serveFile(`/api/files/media/m1/${name}.jpg`, new Uint8Array(MB).fill(7));

  test("too many bytes push out what was unused longest, and never what is kept", async () => {
    const worker = profile.context.serviceWorkers().find((one) => one.url().startsWith(site.url));
    const grant = (quota: number) => {
      navigator.storage.estimate = async () => ({ quota });
    };
    await worker?.evaluate(grant, 20 * MB);
    await page.evaluate(grant, 20 * MB);
    await keep(photo("kept-1"), photo("kept-2"));
    const loose = Array.from({ length: 10 }, (_, i) => photo(`loose-${i}`));
    for (const path of loose) {
      await ask(path);
      await becomesCached(path);
    }
    expect(await usage()).toEqual({
      files: 12,
      bytes: 12 * MB,
      keptBytes: 2 * MB,
      budgetBytes: 12 * MB,
    });
    const [first = "", second = ""] = loose;
    await ask(first);
    await expect.poll(async () => (await readOldest(page))[0]).toBe(`${site.url}${second}`);
    await ask(photo("one-more"));
    await expect.poll(cachedPaths).not.toContain(second);
    const left = await cachedPaths();
    expect(left).toHaveLength(12);
    for (const path of [first, photo("kept-1"), photo("kept-2")]) expect(left).toContain(path);
  });

  test("small pictures do not each cost a look at all that is stored", async () => {
    const worker = profile.context.serviceWorkers().find((one) => one.url().startsWith(site.url));
    const small = (name: string) =>
      serveFile(`/api/files/media/m1/${name}.jpg`, mediaFixture("photo.jpg"));
    const store = async (path: string) => {
      await ask(path);
      await becomesCached(path);
    };
    // What was stored before counts for the first.
    await store(photo("large"));
    await store(small("first"));
    await worker?.evaluate(() => {
      const { getAll } = IDBObjectStore.prototype;
      Object.assign(globalThis, { looks: 0 });
      IDBObjectStore.prototype.getAll = function (this: IDBObjectStore) {
        (globalThis as unknown as { looks: number }).looks += 1;
        return getAll.call(this);
      };
    });
    for (let i = 0; i < 10; i++) await store(small(`small-${i}`));
    const looks = () => (globalThis as unknown as { looks: number }).looks;
    expect(await worker?.evaluate(looks)).toBe(0);
  });

  test("a full disk makes room for what is new, and never of what is kept", async () => {
    const cdp = await profile.context.newCDPSession(page);
    await cdp.send("Storage.overrideQuotaForOrigin", { origin: site.url, quotaSize: 20 * MB });
    await keep(photo("kept-1"), photo("kept-2"));
    const loose = Array.from({ length: 24 }, (_, i) => photo(`loose-${i}`));
    for (const path of loose) {
      expect((await ask(path))[0]).toBe(200);
      await becomesCached(path);
    }
    const left = await cachedPaths();
    expect(left).toContain(photo("kept-1"));
    expect(left).toContain(photo("kept-2"));
    expect(left).not.toContain(loose[0]);
    expect((await usage()).files).toBe(left.length);
    await cdp.detach();
  });
});

/** Addresses of what may be evicted, longest unused first. */
function readOldest(from: Page): Promise<string[]> {
  return from.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open("media-cache").onsuccess = ({ target }) => {
          const database = (target as IDBOpenDBRequest).result;
          const request = database.transaction("entries").objectStore("entries").getAll();
          request.onsuccess = () => {
            database.close();
            const loose = request.result.filter(({ kept }) => !kept);
            resolve(loose.sort((a, b) => a.usedAt - b.usedAt).map(({ key }) => key));
          };
        };
      }),
  );
}

describe("chat photos", () => {
  const tokenOf = (id: string) =>
    `h.${Buffer.from(JSON.stringify({ id })).toString("base64url")}.s`;

  test("they lie in a cache of their reader's, which sign-out deletes", async () => {
    const path = serveFile("/api/files/messages/c1/p.jpg", mediaFixture("photo.jpg"));
    const open = serveFile("/api/files/media/m1/a.jpg", mediaFixture("photo.jpg"));
    await ask(`${path}?token=${tokenOf(ANN)}`);
    await ask(open);
    await becomesCached(path);
    await becomesCached(open);
    const names = await page.evaluate(() => caches.keys());
    expect(names).toContain(`private-media-v1-${ANN}`);
    // Nobody else's token opens it, nor none.
    await site.stop();
    expect((await ask(`${path}?token=${tokenOf(ANN)}`))[0]).toBe(200);
    expect((await ask(`${path}?token=${tokenOf("bobbobbobbobbob")}`))[0]).toBe(0);
    expect((await ask(path))[0]).toBe(0);
    await signOut();
    expect(await cachedPaths()).toEqual([open]);
    expect((await ask(`${path}?token=${tokenOf(ANN)}`))[0]).toBe(0);
  });
});
