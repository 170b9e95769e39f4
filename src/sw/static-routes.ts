/**
 * Static routes: what the browser answers out of the caches by itself, without starting the
 * service worker, which a phone has stopped half a minute after the last visit. These are the app's
 * page at the addresses that have a name, and the files of the precache. A browser that knows no
 * static routes asks the worker, which answers the same. Each version has its page in a cache of
 * its own and its routes name that cache, so that none begins with the page of another.
 */

import { cacheNames } from "workbox-core";
import { matchPrecache, type PrecacheEntry } from "workbox-precaching";

/** Without those whose last part is somebody's or something's: they are too many to be copied. */
const PATHS = [
  "/",
  "/chat",
  "/profile",
  "/outbox",
  "/device",
  "/notifications",
  "/upload",
  "/terms",
  "/privacy",
];
const PREFIX = "pages-";

type Entries = readonly (PrecacheEntry | string)[];

/** TypeScript's library does not know them yet. */
interface Router {
  addRoutes?(routes: readonly Route[]): Promise<void>;
}
interface Condition {
  urlPattern?: { pathname: string; search: string };
  requestMode?: "navigate";
  requestMethod?: "GET";
  or?: Condition[];
}
interface Route {
  condition: Condition;
  source: { cacheName: string };
}

const addressOf = (entry: PrecacheEntry | string): string =>
  typeof entry === "string" ? entry : entry.url;

/** The cache of the page that belongs to `entries`. */
function pagesOf(entries: Entries, page: string): string {
  const entry = entries.find((one) => `/${addressOf(one)}`.endsWith(page));
  const revision = typeof entry === "object" ? entry.revision : null;
  return `${PREFIX}${revision ?? ""}`;
}

const at = (pathname: string): Condition => ({ urlPattern: { pathname, search: "" } });

function routesFor(entries: Entries, page: string): Route[] {
  const files = entries
    .filter((entry) => typeof entry === "string" || entry.revision === null)
    .map((entry) => at(new URL(addressOf(entry), location.href).pathname));
  const routes = PATHS.map<Route>((path) => ({
    condition: { ...at(path), requestMode: "navigate", requestMethod: "GET" },
    source: { cacheName: pagesOf(entries, page) },
  }));
  if (files.length === 0) return routes;
  return [...routes, { condition: { or: files }, source: { cacheName: cacheNames.precache } }];
}

/** In `install`. Where the browser refuses, the worker is asked as before. */
export async function addStaticRoutes(event: Event & Router, entries: Entries, page: string) {
  await event.addRoutes?.(routesFor(entries, page)).catch(() => undefined);
}

/** Once the page is in the precache. Without a copy an address would need the network. */
export async function copyPage(entries: Entries, page: string): Promise<void> {
  const kept = await matchPrecache(page);
  if (kept === undefined) throw new Error(`${page} is not in the precache`);
  const cache = await caches.open(pagesOf(entries, page));
  await Promise.all(PATHS.map((path) => cache.put(path, kept.clone())));
}

/** In `activate`: no version before this one runs any more. */
export async function dropOldPages(entries: Entries, page: string): Promise<void> {
  const mine = pagesOf(entries, page);
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== mine);
  await Promise.all(old.map((name) => caches.delete(name)));
}
