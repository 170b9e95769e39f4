/**
 * Contexts of a browser that are used again. The app's first visit in a new one costs twice what it
 * costs where the worker and what it puts aside are there already: so a context that a test has
 * done with is emptied of all else, and serves the next that opens a profile with the same options.
 */
import type { BrowserContext, CDPSession, Page } from "playwright-core";

/** Empty, and with the page that the next profile begins with. */
export interface Emptied {
  context: BrowserContext;
  page: Page;
}

interface Use {
  /** That were visited. */
  sites: Set<string>;
  /** Something was done that nobody can undo. */
  isLasting: boolean;
  connect: BrowserContext["newCDPSession"];
}

const uses = new WeakMap<BrowserContext, Use>();

/** What is done by these stays with the context. */
const LASTING = [
  ...["addInitScript", "exposeBinding", "exposeFunction", "grantPermissions", "newCDPSession"],
  ...["on", "once", "route", "routeWebSocket", "setExtraHTTPHeaders", "setGeolocation"],
] as const;

/** From here on, what is done with it is known. */
export function watchUse(context: BrowserContext): void {
  const sites = new Set<string>();
  const use = { sites, isLasting: false, connect: context.newCDPSession.bind(context) };
  uses.set(context, use);
  context.on("page", (page) => watchPage(page, sites));
  for (const page of context.pages()) watchPage(page, sites);
  const own = context as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of LASTING) own[name] = lasting(use, own[name]?.bind(context));
  const clock = context.clock as unknown as typeof own;
  for (const name of ["install", "setFixedTime", "setSystemTime"])
    clock[name] = lasting(use, clock[name]?.bind(clock));
}

function watchPage(page: Page, sites: Set<string>): void {
  page.on("framenavigated", (frame) => {
    if (frame.url().startsWith("http")) sites.add(new URL(frame.url()).origin);
  });
}

const lasting =
  (use: Use, act: ((...given: unknown[]) => unknown) | undefined) =>
  (...given: unknown[]) => {
    use.isLasting = true;
    return act?.(...given);
  };

/** What the app's worker puts aside, and its copies of the page (sw/static-routes.ts). */
const PUT_ASIDE = /^(?:workbox-precache|pages-)/;

/** Then it is closed instead. */
const LONGEST_MS = 10_000;

/** @returns its only page; null where it cannot be emptied */
export function empty(context: BrowserContext): Promise<Page | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, LONGEST_MS, null).unref());
  return Promise.race([emptyAll(context), late]);
}

async function emptyAll(context: BrowserContext): Promise<Page | null> {
  const use = uses.get(context);
  if (use === undefined || use.isLasting) return null;
  const before = context.pages();
  const page = await context.newPage();
  await Promise.all(before.map((one) => one.close()));
  // Each worker is asked, so none may have been stopped.
  await context.setOffline(false);
  await context.clearCookies();
  const wire = await use.connect(page);
  await wire.send("ServiceWorker.enable");
  await wire.send("ServiceWorker.stopAllWorkers");
  await wire.send("Network.clearBrowserCache");
  for (const site of use.sites) await emptySite(wire, site);
  await wire.detach();
  return page;
}

async function emptySite(wire: CDPSession, site: string): Promise<void> {
  const storageTypes = "indexeddb,local_storage,file_systems";
  await wire.send("Storage.clearDataForOrigin", { origin: site, storageTypes });
  const { caches } = await wire.send("CacheStorage.requestCacheNames", { securityOrigin: site });
  const others = caches.filter(({ cacheName }) => !PUT_ASIDE.test(cacheName));
  await Promise.all(
    others.map(({ cacheId }) => wire.send("CacheStorage.deleteCache", { cacheId })),
  );
}
