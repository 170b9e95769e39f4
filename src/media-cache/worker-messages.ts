/** Messages between page and service worker, which may differ in version: add, never change one. */
import { dropPrivateMedia } from "./cache";

export type ToServiceWorker =
  | { type: "SKIP_WAITING" }
  /** Give up what is being loaded, because a newer worker is to take over. */
  | { type: "LET_GO" }
  /** Store these files as if a page had just shown them. */
  | { type: "WARM"; urls: string[] }
  /** Delete the files that were read with a token, and store none that is still in flight. */
  | { type: "SIGNED_OUT" };

/** Has the worker that answers for this page store these files. */
export function warm(urls: string[]): void {
  const message: ToServiceWorker = { type: "WARM", urls };
  navigator.serviceWorker?.controller?.postMessage(message);
}

/** Sent to every page on a Background Sync for which a page of an earlier version has asked. */
export const OUTBOX_SYNC = "OUTBOX_SYNC";
export const OUTBOX_SYNC_TAG = "outbox";

/** A channel between the pages and the worker that sends (sw/sender.ts). */
export const PAGES = "augenblick-pages";

export type OnPages =
  /** A page has opened: no worker sends any more. */
  | { type: "OPENED" }
  /** The worker asks whether there is a page. */
  | { type: "ASK" }
  /** There is, and in it something waits to be sent, or nothing. */
  | { type: "HERE"; waits: boolean };

/** From the worker that sends to a page. */
export interface FromSender {
  /** Somebody has tapped on a notification: show what it is about. */
  type: "OPEN";
  path: string;
}

/** A silent worker must not keep anybody from signing out. */
const ANSWER_TIMEOUT_MS = 2_000;

/** The page's side of a sign-out: deletes private files, also those that are still in flight. */
export async function forgetPrivateMedia(): Promise<void> {
  await askServiceWorker({ type: "SIGNED_OUT" }, ANSWER_TIMEOUT_MS);
  // A second time after the worker, and the only time where there is none.
  await dropPrivateMedia();
}

/** A worker starts late on a busy device, and must run before a newer one may take over. */
const START_TIMEOUT_MS = 30_000;
/** A tab may have asked the worker for something that takes long after it was told to make room. */
const ASK_AGAIN_MS = 2_000;
/** Longer than Chromium lets a worker idle: asked more often, the old one would never end. */
const ASK_SELDOM_MS = 40_000;

/**
 * The page's side of an update: resolves when no worker waits any more. The worker's own state
 * says so; a page that is on its way or in the background then may hear of no new controller.
 */
export async function letTakeOver(
  registration: ServiceWorkerRegistration,
  pause = ASK_AGAIN_MS,
): Promise<void> {
  const { waiting } = registration;
  if (waiting?.state !== "installed") return;
  const moved = new Promise((resolve) =>
    waiting.addEventListener("statechange", resolve, { once: true }),
  );
  await askToTakeOver(registration);
  await Promise.race([moved, new Promise((resolve) => setTimeout(resolve, pause))]);
  // It may be another one that waits by now.
  return letTakeOver(registration, ASK_SELDOM_MS);
}

/**
 * Chromium lets the waiting worker take over when the active one has nothing to do, or after
 * minutes; a request that nobody answers is something to do. An active worker that is only starting
 * at that moment is not told to make room, so it is waited for.
 */
async function askToTakeOver(registration: ServiceWorkerRegistration): Promise<void> {
  await askServiceWorker({ type: "LET_GO" }, START_TIMEOUT_MS);
  registration.waiting?.postMessage({ type: "SKIP_WAITING" } satisfies ToServiceWorker);
}

/** Resolves when the worker has answered, when there is none, or after the timeout. */
function askServiceWorker(message: ToServiceWorker, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, timeoutMs);
    const done = () => {
      clearTimeout(timeout);
      resolve();
    };
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    // Not the page's controller: a page reloaded past the worker has none, while other tabs do.
    activeWorker().then((worker) => (worker ? worker.postMessage(message, [port2]) : done()), done);
  });
}

async function activeWorker(): Promise<ServiceWorker | null> {
  if (!("serviceWorker" in navigator)) return null;
  return (await navigator.serviceWorker.getRegistration())?.active ?? null;
}
