/**
 * The service worker: answers for the app's shell and for media, and leaves other requests alone.
 * It replaces an older worker only when the page asks.
 */
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { mediaPlace } from "@/media-cache/cache";
import { OUTBOX_SYNC, OUTBOX_SYNC_TAG } from "@/media-cache/worker-messages";
import { answerMedia, forgetPrivateMedia, warmMedia } from "./answer-media";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

const NOT_THE_APP = [/^\/api\//, /^\/_\//, /^\/share$/, /^\/robots\.txt$/, /^\/screenshots\//];

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL("/index.html"), { denylist: NOT_THE_APP }),
);

registerRoute(
  // A file opened in its own tab comes from the server, whose headers forbid it to run scripts.
  ({ url, request }) =>
    request.mode !== "navigate" && mediaPlace(url.href, self.location.href) !== null,
  ({ request, event }) => answerMedia(request, event),
);

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  event.waitUntil(obey(event.data).then(() => event.ports[0]?.postMessage({ done: true })));
});

/** Does what a page's message says. Unknown messages of a newer page do nothing. */
async function obey(message: unknown): Promise<void> {
  const given = typeof message === "object" && message !== null ? message : {};
  const type = "type" in given ? given.type : "";
  if (type === "SKIP_WAITING") await self.skipWaiting();
  else if (type === "SIGNED_OUT") await forgetPrivateMedia();
  else if (type === "WARM" && "urls" in given && Array.isArray(given.urls)) await warm(given.urls);
}

/** One after another: these files must not crowd out the requests of the screen. */
async function warm(urls: readonly unknown[]): Promise<void> {
  for (const url of urls) {
    // Ignoring a failure: it is fetched when it is next shown.
    if (typeof url === "string") await warmMedia(url).catch(() => undefined);
  }
}

/** Background Sync, which TypeScript's library does not know: the network is back. */
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
