/**
 * The sender: a second service worker, which sends what waits when the app is closed, and tells
 * what is new when a push wakes it. It controls no page and answers no request, so that the other
 * one (sw.ts), which starts for each picture, carries nothing of it.
 */
import { pageOf, readSessionCopy } from "@/data/account/session-copy";
import { browserBasics } from "@/data/browser-basics";
import type { ClientDeps, KeyValue } from "@/data/engine/deps";
import { fetchHttpStack } from "@/data/files/fetch-http-stack";
import { type News, readNews } from "@/data/push/news";
import { writeTold } from "@/data/push/told";
import { sendQueue } from "@/data/send-queue";
import { paths } from "@/domain/paths";
import { type Note, noteOf, readIn, unknownNote } from "@/i18n/notes";
import { isMetered, onConnectionChange, WIFI_ONLY_KEY } from "@/lib/connection-kind";
import type { SenderRegistration } from "@/lib/sends-when-closed";
import { createSerialQueue } from "@/lib/serial-queue";
import { dropPrivateMedia, forgetInMediaCache } from "@/media-cache/cache";
import { fillLists, KEPT_LISTS_TAG } from "@/media-cache/kept-lists";
import {
  type FromSender,
  type OnPages,
  OUTBOX_SYNC_TAG,
  PAGES,
} from "@/media-cache/worker-messages";

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

/** Each opens the databases, which a worker can do once. */
const inTurn = createSerialQueue();
/** Two events may come at once, and there is one queue. */
let running: Promise<void> | null = null;
/** What is being sent makes room for what somebody waits for, and comes again by itself. */
let sending = new AbortController();
for (const kind of ["sync", "periodicsync"]) {
  self.addEventListener(kind as "message", (event) => {
    const sync = event as unknown as SyncEvent;
    if (sync.tag !== OUTBOX_SYNC_TAG) return;
    running ??= inTurn(() => send(sync.lastChance === true)).finally(() => {
      running = null;
    });
    sync.waitUntil(running);
  });
}

/** Beside the queue, of which it touches nothing. */
for (const kind of ["sync", "periodicsync"]) {
  self.addEventListener(kind as "message", (event) => {
    const sync = event as unknown as SyncEvent;
    if (sync.tag === KEPT_LISTS_TAG) sync.waitUntil(goOnKeeping());
  });
}

async function goOnKeeping(): Promise<void> {
  const signal = AbortSignal.timeout(SEND_MOST_MS);
  const isLeft = await fillLists({ mayFetch: () => !isMetered(), signal, waits: false });
  if (isLeft) throw new Error("Something is left to keep");
}

function first(work: () => Promise<void>): Promise<void> {
  sending.abort();
  return inTurn(work);
}

self.addEventListener("push", (event) => event.waitUntil(first(tell)));

/** Pulls, and shows what is new, in the language that was read last. */
async function tell(): Promise<void> {
  const local = await readSessionCopy();
  const found =
    local === null ? "off" : await readNews(depsOf(local)).catch(() => "unknown" as const);
  // The session may have ended meanwhile, also where nobody could tell the server.
  const copy = await readSessionCopy();
  if (copy === null || found === "off")
    return void (await (await self.registration.pushManager.getSubscription())?.unsubscribe());
  const { language, productName } = pageOf(copy);
  readIn(language);
  if (found === "unknown") return show(unknownNote(productName));
  const { news, unread, told } = found;
  await closeRead(unread);
  const pages = await windows();
  const notes = news.map((one) => ({ kind: one.kind, ...noteOf(one, productName) }));
  await Promise.all(notes.filter((note) => !isSeen(note, pages)).map(show));
  await showOnIcon([...unread.values()].reduce((sum, count) => sum + count, 0));
  await writeTold(told);
}

/** The app's own, the one that was looked at last first: not the dashboard's. */
const windows = async (): Promise<WindowClient[]> =>
  (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).filter(
    (one): one is WindowClient => !new URL(one.url).pathname.startsWith("/_/"),
  );

/** Whoever looks at the app hears of messages from the page, and sees what he looks at. */
const isSeen = ({ kind, path }: Note & { kind: News["kind"] }, pages: WindowClient[]): boolean =>
  pages.some(({ focused, url }) => focused && (kind === "messages" || url.includes(path)));

async function closeRead(unread: ReadonlyMap<string, number>): Promise<void> {
  for (const shown of await self.registration.getNotifications()) {
    const [kind, chat = ""] = shown.tag.split(" ");
    if (kind === "messages" && !unread.has(chat)) shown.close();
  }
}

function show({ title, body, tag, path, actions }: Note): Promise<void> {
  const options = { body, tag, renotify: true, actions, data: { path } };
  const drawn = { ...options, icon: "/icons/icon-192.png" } as NotificationOptions;
  return self.registration.showNotification(title, drawn);
}

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  // The browser's own, for a push of which nothing was shown, has none.
  const path = (notification.data as { path?: string } | null)?.path ?? paths.home;
  event.waitUntil(action === "read" ? first(() => markRead(path)) : open(path));
});

/** Through the queue: without a network it goes later. */
async function markRead(path: string): Promise<void> {
  const local = await readSessionCopy();
  if (local === null) return;
  const conversationId = path.slice(paths.chat("").length);
  const body = { conversationId };
  const budget = AbortSignal.timeout(SEND_MOST_MS);
  const report = await sendQueue(depsOf(local), budget, { kind: "conversation.read", body });
  // It could not be queued: then it is read in the app.
  if (!report.isQueued) return open(path);
  if (report.unread !== null) await showOnIcon(report.unread);
  const { sync } = self.registration as SenderRegistration;
  // A page that is there sends it, too; asking then costs nothing.
  if (report.left !== 0) await sync?.register(OUTBOX_SYNC_TAG);
}

/** A page that has not started yet, or of an earlier version, does not answer. */
const PAGE_ANSWER_MS = 1_500;

/** In the window that is open, if there is one. */
async function open(path: string): Promise<void> {
  const [page] = await windows();
  if (page === undefined) return void (await self.clients.openWindow(path));
  const { port1, port2 } = new MessageChannel();
  const opened = new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(resolve, PAGE_ANSWER_MS, false);
  });
  page.postMessage({ type: "OPEN", path } satisfies FromSender, [port2]);
  await page.focus().catch(() => undefined);
  if (!(await opened)) await page.navigate(path);
  port1.close();
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
    sending = new AbortController();
    const budget = AbortSignal.timeout(SEND_MOST_MS);
    const stop = AbortSignal.any([budget, pages.opened, sending.signal]);
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
