/**
 * The service worker: the app's shell out of the precache, media out of the media cache, and nothing else. What talks to
 * the API or belongs to the dashboard passes by untouched. It never takes over from an older one by itself: the page asks.
 */
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { mediaPlace } from "@/lib/media-cache";
import { OUTBOX_SYNC, OUTBOX_SYNC_TAG } from "@/lib/service-worker-messages";
import { answerMedia } from "./answer-media";
import { answerMessage } from "./answer-message";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

/** Navigations that are not the app's page. */
const NOT_THE_APP = [/^\/api\//, /^\/_\//, /^\/share$/, /^\/robots\.txt$/, /^\/screenshots\//];

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL("/index.html"), { denylist: NOT_THE_APP }),
);

registerRoute(
  // A file opened in a tab of its own comes from the server, with the headers that fence it in.
  ({ url, request }) =>
    request.mode !== "navigate" && mediaPlace(url.href, self.location.href) !== null,
  ({ request, event }) => answerMedia(request, event),
);

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  if (event.data?.type === "SKIP_WAITING") void self.skipWaiting();
  else event.waitUntil(answerMessage(event.data, event.ports[0]));
});

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
