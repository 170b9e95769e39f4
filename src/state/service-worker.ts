/**
 * Registers the service worker and notices new versions. It never reloads by itself: there may be
 * unsent text on the screen.
 */
import { Workbox } from "workbox-window";
import { createCell } from "@/lib/cell";
import type { ToServiceWorker } from "@/media-cache/worker-messages";

const UPDATE_CHECK_MS = 60 * 60_000;

const ready = createCell(false);
let workbox: Workbox | null = null;

export const updateReady = { subscribe: ready.subscribe, getSnapshot: ready.getSnapshot };

/** Call once, after the first picture is on the screen: the precache must not compete with it. */
export async function registerServiceWorker(): Promise<void> {
  if (workbox !== null || !("serviceWorker" in navigator)) return;
  const started = new Workbox("/sw.js");
  workbox = started;
  started.addEventListener("waiting", () => ready.set(true));
  // The pictures of a first visit were loaded before there was a worker to store them.
  if (navigator.serviceWorker.controller === null) {
    started.addEventListener("controlling", warmWithShownMedia);
  }
  try {
    noticeInstalling(await started.register());
    setInterval(() => started.update().catch(() => undefined), UPDATE_CHECK_MS);
  } catch {
    // Ignoring it: a private window or a policy forbids it. The app works, but only with a network.
    workbox = null;
  }
}

/** Workbox does not report a version that was already being installed when we registered. */
function noticeInstalling(registration: ServiceWorkerRegistration | undefined): void {
  const incoming = registration?.installing;
  if (!incoming || navigator.serviceWorker.controller === null) return;
  incoming.addEventListener("statechange", () => {
    if (incoming.state === "installed") ready.set(true);
  });
}

/** Switches to the new version and reloads this page. Ask the person first. */
export function applyUpdate(): void {
  workbox?.addEventListener("controlling", () => location.reload());
  workbox?.messageSkipWaiting();
}

function warmWithShownMedia(): void {
  const urls = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/api/files/`));
  const message: ToServiceWorker = { type: "WARM", urls: [...new Set(urls)] };
  navigator.serviceWorker.controller?.postMessage(message);
}
