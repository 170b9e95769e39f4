/**
 * The page's side of the service worker: registering it, knowing that a new version waits, and handing over to it when the
 * person says so. It never reloads by itself: text that was not sent yet could be on the screen.
 */
import { Workbox } from "workbox-window";
import { createCell } from "@/lib/cell";
import type { ToServiceWorker } from "@/lib/service-worker-messages";

/** Between two looks for a new version while the app stays open. */
const UPDATE_CHECK_MS = 60 * 60_000;

const ready = createCell(false);
let workbox: Workbox | null = null;

/** Whether a new version waits for `applyUpdate`. */
export const updateReady = { subscribe: ready.subscribe, getSnapshot: ready.getSnapshot };

/** Call once, when the first picture is on the screen: the precache must not compete with it. */
export async function registerServiceWorker(): Promise<void> {
  if (workbox !== null || !("serviceWorker" in navigator)) return;
  const started = new Workbox("/sw.js");
  workbox = started;
  started.addEventListener("waiting", () => ready.set(true));
  // The pictures of a first visit came before there was anybody to keep them.
  if (navigator.serviceWorker.controller === null) {
    started.addEventListener("controlling", warmWithShownMedia);
  }
  try {
    noticeInstalling(await started.register());
    setInterval(() => started.update().catch(() => undefined), UPDATE_CHECK_MS);
  } catch {
    // Ignoring it: a private window or a policy forbids it. The app works, but not without a network.
    workbox = null;
  }
}

/** One that was found before we registered, and is still being installed, is told to nobody. */
function noticeInstalling(registration: ServiceWorkerRegistration | undefined): void {
  const incoming = registration?.installing;
  if (!incoming || navigator.serviceWorker.controller === null) return;
  incoming.addEventListener("statechange", () => {
    if (incoming.state === "installed") ready.set(true);
  });
}

/** Hands over to the new version and reloads this page. Ask the person first. */
export function applyUpdate(): void {
  workbox?.addEventListener("controlling", () => location.reload());
  workbox?.messageSkipWaiting();
}

/** A message to the worker that controls this page. Lost where there is none, which then has nothing to do. */
export function tellServiceWorker(message: ToServiceWorker): void {
  navigator.serviceWorker?.controller?.postMessage(message);
}

function warmWithShownMedia(): void {
  const urls = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/api/files/`));
  tellServiceWorker({ type: "WARM", urls: [...new Set(urls)] });
}
