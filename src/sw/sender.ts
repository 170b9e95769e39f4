/**
 * The sender: a second service worker, which sends what waits when the app is closed. It is there
 * from the first thing that somebody queues, controls no page and answers no request, so that the
 * other one (sw.ts), which starts for each picture, carries nothing of it.
 */
import { readSessionCopy } from "@/data/account/session-copy";
import { browserBasics } from "@/data/browser-basics";
import type { ClientDeps, KeyValue } from "@/data/engine/deps";
import { fetchHttpStack } from "@/data/files/fetch-http-stack";
import { sendQueue } from "@/data/send-queue";
import { isMetered, WIFI_ONLY_KEY } from "@/lib/metered-connection";
import { OUTBOX_SYNC, OUTBOX_SYNC_TAG, PAGES } from "@/media-cache/worker-messages";

declare const self: ServiceWorkerGlobalScope;

/** Background Sync and its periodic kind, which TypeScript's library does not know. */
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

// No page runs with this one, so nobody can lose anything by a newer version.
self.addEventListener("install", () => void self.skipWaiting());
for (const kind of ["sync", "periodicsync"]) {
  self.addEventListener(kind as "message", (event) => {
    const sync = event as unknown as SyncEvent;
    if (sync.tag === OUTBOX_SYNC_TAG) sync.waitUntil(send());
  });
}

/** Rejects where something is left: then the browser tries again by itself. */
async function send(): Promise<void> {
  const stop = new AbortController();
  const pages = new BroadcastChannel(PAGES);
  pages.onmessage = () => stop.abort();
  try {
    if (await tellPages()) return;
    const local = await readSessionCopy();
    if (local === null) return;
    const { fate, unread } = await sendQueue(depsOf(local), stop.signal);
    if (stop.signal.aborted) return;
    if (unread !== null) await showOnIcon(unread);
    if (fate === "waits") throw new Error("Something is left to send");
  } finally {
    pages.close();
  }
}

/** Whether there is a page, which then sends by itself. */
async function tellPages(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage({ type: OUTBOX_SYNC });
  return pages.length > 0;
}

/** As the page does (state/chat.ts). Ignoring the refusal of an app that is not installed. */
async function showOnIcon(unread: number): Promise<void> {
  const badging: Partial<Pick<WorkerNavigator, "setAppBadge" | "clearAppBadge">> = navigator;
  const shown = unread > 0 ? badging.setAppBadge?.(unread) : badging.clearAppBadge?.();
  await shown?.catch(() => undefined);
}

/** Without a canvas and workers of its own: a preview goes as the page has made it. */
const depsOf = (local: KeyValue): ClientDeps => ({
  ...browserBasics(),
  storage: { indexedDB, IDBKeyRange, local },
  fetch: (input, init) => fetch(input, init),
  uploadHttpStack: async () => fetchHttpStack(fetch),
  uploads: {
    allowed: () => local.getItem(WIFI_ONLY_KEY) !== "1" || !isMetered(),
    onChange: () => () => undefined,
  },
});
