/**
 * The sender: a second service worker, which sends what waits when the app is closed. It controls
 * no page and answers no request, so that the other one (sw.ts), which starts for each picture,
 * carries nothing of it.
 */
import { readSessionCopy } from "@/data/account/session-copy";
import { browserBasics } from "@/data/browser-basics";
import type { ClientDeps, KeyValue } from "@/data/engine/deps";
import { fetchHttpStack } from "@/data/files/fetch-http-stack";
import { sendQueue } from "@/data/send-queue";
import { isMetered, onConnectionChange, WIFI_ONLY_KEY } from "@/lib/connection-kind";
import { dropPrivateMedia, forgetInMediaCache } from "@/media-cache/cache";
import { type OnPages, OUTBOX_SYNC_TAG, PAGES } from "@/media-cache/worker-messages";

declare const self: ServiceWorkerGlobalScope;

/** Background Sync and its periodic kind, which TypeScript's library does not know. */
interface SyncEvent extends ExtendableEvent {
  tag: string;
  /** The browser will not try again. */
  lastChance?: boolean;
}

/** Chromium ends a worker that takes longer than three minutes for an event. */
const SEND_MOST_MS = 150_000;
/** A page that is there and runs answers by then. One that the system has frozen does not. */
const ANSWER_MS = 1_000;

/** It may be newer than a page: another version's data it leaves alone (data/send-queue.ts). */
self.addEventListener("install", () => void self.skipWaiting());

/** Two events may come at once, and there is one queue. */
let running: Promise<void> | null = null;
for (const kind of ["sync", "periodicsync"]) {
  self.addEventListener(kind as "message", (event) => {
    const sync = event as unknown as SyncEvent;
    if (sync.tag !== OUTBOX_SYNC_TAG) return;
    running ??= send(sync.lastChance === true).finally(() => {
      running = null;
    });
    sync.waitUntil(running);
  });
}

/** Rejects where something is left: then the browser tries again by itself. */
async function send(isLastChance: boolean): Promise<void> {
  const pages = listenToPages();
  try {
    const waits = await pages.ask();
    if (waits !== null) {
      // It sends by itself as long as it runs.
      if (waits) throw new Error("A page is sending");
      return;
    }
    const local = await readSessionCopy();
    if (local === null) return;
    const budget = AbortSignal.timeout(SEND_MOST_MS);
    const stop = AbortSignal.any([budget, pages.opened]);
    const { left, unread } = await sendQueue(depsOf(local), stop);
    if (pages.opened.aborted) throw new Error("A page is sending");
    if (unread !== null || isLastChance)
      await showOnIcon((unread ?? 0) + (isLastChance ? (left ?? 1) : 0));
    if (left !== 0) throw new Error("Something is left to send");
  } finally {
    pages.close();
  }
}

function listenToPages() {
  const channel = new BroadcastChannel(PAGES);
  const opened = new AbortController();
  let answered = (_waits: boolean) => {};
  channel.onmessage = ({ data }: MessageEvent<OnPages>) => {
    if (data.type === "OPENED") opened.abort();
    else if (data.type === "HERE") answered(data.waits);
  };
  return {
    /** Fires when a page opens: it sends from then on. */
    opened: opened.signal,
    /** Whether anything waits in the page that is there; null without a page. */
    ask: () =>
      new Promise<boolean | null>((resolve) => {
        answered = resolve;
        opened.signal.addEventListener("abort", () => resolve(true));
        setTimeout(resolve, ANSWER_MS, null);
        channel.postMessage({ type: "ASK" } satisfies OnPages);
      }),
    close: () => channel.close(),
  };
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
  hasScreen: false,
  dropMedia: (urls) => (urls === "private" ? dropPrivateMedia() : forgetInMediaCache(urls)),
  uploads: {
    allowed: () => local.getItem(WIFI_ONLY_KEY) !== "1" || !isMetered(),
    onChange: onConnectionChange,
  },
});
