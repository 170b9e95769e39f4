/**
 * Registers the service worker and notices new versions. Whoever asks for one says whether the page
 * may be reloaded: there may be unsent text on the screen.
 */
import { createCell } from "@/lib/cell";
import { ownScript } from "@/lib/own-script";
import { letTakeOver, warm } from "@/media-cache/worker-messages";

const UPDATE_CHECK_MS = 60 * 60_000;
/** An app that comes back to the front looks for a new version, but not more often than this. */
const LOOK_AGAIN_MS = 5 * 60_000;

const ready = createCell(false);
let isRegistered = false;

export const updateReady = { subscribe: ready.subscribe, getSnapshot: ready.getSnapshot };

/** Call once, after the first picture is on the screen: the precache must not compete with it. */
export async function registerServiceWorker(): Promise<void> {
  if (isRegistered || !("serviceWorker" in navigator)) return;
  isRegistered = true;
  noticeOtherTabs();
  // The pictures of a first visit were loaded before there was a worker to store them.
  if (navigator.serviceWorker.controller === null) {
    const options = { once: true };
    navigator.serviceWorker.addEventListener("controllerchange", warmWithShownMedia, options);
  }
  if (document.readyState !== "complete")
    await new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
  try {
    const registration = await navigator.serviceWorker.register(ownScript("/sw.js"));
    noticeNewVersions(registration);
    lookForNewVersions(registration);
  } catch {
    // Ignoring it: a private window or a policy forbids it. The app works, but only with a network.
    isRegistered = false;
  }
}

/** A worker that waits is a new version only where one runs: on a first visit it is ours. */
function noticeNewVersions(registration: ServiceWorkerRegistration): void {
  const look = () => {
    if (registration.waiting !== null && registration.active !== null) ready.set(true);
  };
  const follow = () => registration.installing?.addEventListener("statechange", look);
  registration.addEventListener("updatefound", follow);
  follow();
  look();
}

/** Another tab has taken the new version: this one still runs the old, whose parts are gone. */
function noticeOtherTabs(): void {
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) ready.set(true);
    isControlled = true;
  });
}

function lookForNewVersions(registration: ServiceWorkerRegistration): void {
  let lookedAt = Date.now();
  const look = () => {
    lookedAt = Date.now();
    registration.update().catch(() => undefined);
  };
  setInterval(look, UPDATE_CHECK_MS);
  document.addEventListener("visibilitychange", () => {
    const isDue = Date.now() - lookedAt >= LOOK_AGAIN_MS;
    if (document.visibilityState === "visible" && isDue) look();
  });
}

let asking: Promise<void> | null = null;

/** Switches to the new version and reloads this page, if it still may be when that is there. */
export async function applyUpdate(mayReload: () => boolean = () => true): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  // Where none waits, another tab has let it take over: what is missing is the reload.
  if (registration?.waiting) {
    asking ??= letTakeOver(registration).finally(() => {
      asking = null;
    });
    await asking;
  }
  if (mayReload()) location.reload();
}

function warmWithShownMedia(): void {
  const urls = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/api/files/`));
  warm([...new Set(urls)]);
}
