/**
 * The service worker: answers for the app's shell and for media, and leaves other requests alone.
 * It replaces an older worker only when the page asks.
 */
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CAPTION_MAX } from "@/domain/limits";
import { mediaPlace } from "@/media-cache/cache";
import { putInInbox } from "@/media-cache/inbox";
import { OUTBOX_SYNC, OUTBOX_SYNC_TAG } from "@/media-cache/worker-messages";
import { answerMedia, forgetPrivateMedia, letGo, load, warmMedia } from "./answer-media";
import { addStaticRoutes, copyPage, dropOldPages } from "./static-routes";

/** `rare`: see `renewRareParts`. */
type Entry = PrecacheEntry & { rare?: true };

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

const PAGE = "/index.html";
const UPLOAD = "/upload";
const FILES = self.__WB_MANIFEST as Entry[];
const ENTRIES = FILES.filter(({ rare }) => rare === undefined);
const NOT_THE_APP = [/^\/api\//, /^\/_\//, /^\/share$/, /^\/robots\.txt$/, /^\/screenshots\//];

// By default, whatever has no hash in its name is fetched anew. The browser has just done so: it
// asks whether that has changed, and for the page by the name that most visits call it.
addPlugins([
  {
    requestWillFetch: async ({ request }) => {
      if (request.cache !== "reload") return request;
      const { pathname } = new URL(request.url);
      return new Request(pathname === PAGE ? "/" : request.url, {
        cache: "no-cache",
        credentials: "same-origin",
      });
    },
    handlerDidComplete: async ({ request, event }) => {
      const isPage = new URL(request.url).pathname === PAGE;
      if (isPage && event.type === "install") await copyPage(ENTRIES, PAGE);
    },
  },
]);
precacheAndRoute(ENTRIES);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: NOT_THE_APP }));

/** What the system's share sheet sends (share_target in the manifest), with whatever it holds. */
registerRoute(
  ({ url }) => url.origin === self.location.origin && url.pathname === UPLOAD,
  ({ request }) => takeShared(request),
  "POST",
);

/** The files are stored before the form is asked for. */
async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const given = form.getAll("files").filter((value) => value instanceof File);
  // A form without files sends one without a name.
  const files = given.filter(({ name, size }) => name !== "" || size > 0);
  const texts = ["title", "text", "url"].map((name) => String(form.get(name) ?? "").trim());
  const said = texts.filter((text, i) => text !== "" && !texts.slice(i + 1).includes(text));
  await putInInbox(files, said.join("\n").slice(0, CAPTION_MAX)).catch(() => undefined);
  return Response.redirect(UPLOAD, 303);
}

registerRoute(
  // A file opened in its own tab comes from the server, whose headers forbid it to run scripts.
  ({ url, request }) =>
    request.mode !== "navigate" && mediaPlace(url.href, self.location.href) !== null,
  ({ request, event }) => answerMedia(request, event),
);

/**
 * Parts of the app that are not put aside for everybody (vite.config.ts): kept from where they were
 * needed once, each in two versions: a tab may still run the one before.
 */
const RARE_PARTS = "rare-parts";
const RARE_PART = /^\/assets\/([\w-]+-)[\w-]{8}(\.\w+)$/;

registerRoute(
  ({ url }) => url.origin === self.location.origin && RARE_PART.test(url.pathname),
  ({ request }) => answerRarePart(request),
);

const nameOf = ({ url }: Request) => RARE_PART.exec(new URL(url).pathname)?.slice(1).join("");

async function answerRarePart(request: Request): Promise<Response> {
  const cache = await caches.open(RARE_PARTS);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await load(request);
  if (!answer.ok) return answer;
  const versions = (await cache.keys()).filter((one) => nameOf(one) === nameOf(request));
  for (const one of versions.slice(0, -1)) await cache.delete(one);
  await cache.put(request, answer.clone());
  return answer;
}

/** What this device keeps it has in the new version, too, before that can run without a network. */
async function renewRareParts(): Promise<void> {
  const kept = new Set((await (await caches.open(RARE_PARTS)).keys()).map(nameOf));
  const parts = FILES.filter(({ rare }) => rare).map(({ url }) => new Request(url));
  for (const part of parts) {
    // The new version comes all the same.
    if (kept.has(nameOf(part))) await answerRarePart(part).catch(() => undefined);
  }
}

self.addEventListener("install", (event) =>
  event.waitUntil(Promise.all([addStaticRoutes(event, ENTRIES, PAGE), renewRareParts()])),
);
self.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), dropOldPages(ENTRIES, PAGE)])),
);

/** When a page last asked for something, in milliseconds of this worker's clock. */
let askedAt = 0;
self.addEventListener("fetch", () => {
  askedAt = performance.now();
});

const PAUSE_MS = 300;
/** A page that asks for one thing after the other cannot be waited for. */
const LONGEST_WAIT_MS = 3_000;

/**
 * Ends what is being loaded, and answers in a pause. Chromium ends this worker once, when the newer
 * one asks to take over; a request that comes in that moment starts it again, and the newer one
 * then waits until nothing was asked for half a minute. An app that comes back to the front is
 * offered the new version and asks for what is new in the same moment.
 */
async function makeRoom(): Promise<void> {
  letGo();
  const now = performance.now();
  askedAt = Math.max(askedAt, now);
  for (let wait = PAUSE_MS; wait > 0 && performance.now() - now < LONGEST_WAIT_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = askedAt + PAUSE_MS - performance.now();
  }
}

self.addEventListener("message", (event) => {
  event.waitUntil(obey(event.data).then(() => event.ports[0]?.postMessage({ done: true })));
});

/** Does what a page's message says. Unknown messages of a newer page do nothing. */
async function obey(message: unknown): Promise<void> {
  const given = typeof message === "object" && message !== null ? message : {};
  const type = "type" in given ? given.type : "";
  if (type === "SKIP_WAITING") await self.skipWaiting();
  else if (type === "LET_GO") await makeRoom();
  else if (type === "SIGNED_OUT") await forgetPrivateMedia();
  else if (type === "WARM" && "urls" in given && Array.isArray(given.urls))
    await warmMedia(given.urls);
}

/**
 * Background Sync, which TypeScript's library does not know: the network is back. Pages of earlier
 * versions ask for it here; today's ask the sender (sender.ts).
 */
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

self.addEventListener("sync" as "message", (event) => {
  const sync = event as unknown as SyncEvent;
  if (sync.tag === OUTBOX_SYNC_TAG) sync.waitUntil(tellPages());
});

async function tellPages(): Promise<void> {
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    page.postMessage({ type: OUTBOX_SYNC });
  }
}
