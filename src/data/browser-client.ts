/** The one client of a page, wired to the browser. Import it dynamically: it brings RxDB along. */
import { abortOnLeave } from "@/lib/abort-on-leave";
import { mayUpload, onMayUploadChange } from "@/lib/metered-connection";
import { ownScript } from "@/lib/own-script";
import { sendsWhenClosed } from "@/lib/sends-when-closed";
import {
  forgetInMediaCache,
  keptMediaIds,
  readUsage,
  trimMediaCache,
} from "@/media-cache/cache";
import {
  forgetPrivateMedia,
  OUTBOX_SYNC,
  OUTBOX_SYNC_TAG,
  PAGES,
} from "@/media-cache/worker-messages";
import { copySession } from "./account/session-copy";
import { browserBasics } from "./browser-basics";
import type { Client } from "./client";
import { createClient } from "./create-client";
import type { ClientDeps } from "./engine/deps";
import type { PendingWrites } from "./engine/pending";
import { takeFirstMedia } from "./first-media";

let client: Promise<Client> | null = null;

/** The page's client; made on the first call. `pending` is what was tapped before. */
export function browserClient(pending: PendingWrites): Promise<Client> {
  if (client === null) {
    const made = createClient({ ...browserDeps(), pending });
    client = Promise.resolve(made);
    persistWhenInstalled();
    if (sendsWhenClosed()) {
      takeOverSending();
      keepSessionCopied(made);
    }
  }
  return client;
}

/** The operator's name for the product, as the server wrote it into the page. */
function nameOfPage(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
  return meta?.content || document.title || "Augenblick";
}

/** Safari and the other browsers of its engine. */
const isWebKit = navigator.vendor === "Apple Computer, Inc.";

function browserDeps(): ClientDeps {
  return {
    ...browserBasics(),
    storage: {
      indexedDB: isWebKit ? abortOnLeave(indexedDB, window, () => location.reload()) : indexedDB,
      IDBKeyRange,
      local: localStorage,
    },
    fetch: (input, init) => takeFirstMedia(String(input), init) ?? fetch(input, init),
    eventSource: (url) => {
      const source = new EventSource(url);
      return {
        addEventListener: (type, listener) =>
          source.addEventListener(type, (event) =>
            listener(event instanceof MessageEvent ? { data: event.data } : {}),
          ),
        close: () => source.close(),
      };
    },
    onWake,
    onQueued,
    onSessionChange,
    objectUrls: {
      create: (blob) => URL.createObjectURL(blob),
      revoke: (url) => URL.revokeObjectURL(url),
    },
    compress: async (preview) => {
      const { compressInWorker } = await import("./files/worker-client");
      return compressInWorker(preview);
    },
    strip: async (video) => {
      const { stripInWorker } = await import("./files/worker-client");
      return stripInWorker(video);
    },
    checksum: async (piece) => {
      const { checksumInWorker } = await import("./files/checksums");
      return checksumInWorker(piece);
    },
    dropMedia: (urls) => (urls === "private" ? forgetPrivateMedia() : forgetInMediaCache(urls)),
    room: { estimate: estimateRoom, emptyCaches: () => trimMediaCache(0), keptMedia: keptMediaIds },
    uploads: { allowed: mayUpload, onChange: onMayUploadChange },
    productName: nameOfPage(),
  };
}

async function estimateRoom() {
  const { storage } = navigator;
  // A browser that stores nothing refuses these too: figures only, which must not make a pull fail.
  const none = () => undefined;
  const [estimate, persisted, cached] = await Promise.all([
    storage?.estimate?.().catch(none),
    storage?.persisted?.().catch(none),
    readUsage().catch(none),
  ]);
  return { ...estimate, persisted: persisted ?? false, cached: cached?.bytes ?? 0 };
}

function onWake(wake: () => void): () => void {
  const visible = () => document.visibilityState === "visible" && wake();
  const message = (event: MessageEvent<unknown>) => {
    const { data } = event;
    const type = typeof data === "object" && data !== null && "type" in data ? data.type : "";
    if (type === OUTBOX_SYNC) wake();
  };
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", visible);
  navigator.serviceWorker?.addEventListener("message", message);
  return () => {
    window.removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", visible);
    navigator.serviceWorker?.removeEventListener("message", message);
  };
}

type Syncing = ServiceWorkerRegistration & {
  sync?: { register(tag: string): Promise<void> };
  periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> };
};

/** Asks for a wake-up when there is a network again, and that what is queued is not swept away. */
function onQueued(): void {
  if (sendsWhenClosed()) void askForWaking().catch(() => undefined);
  askToPersist();
}

/** The browser's longest promise: it asks less often where the app is rarely used. */
const NOW_AND_THEN_MS = 12 * 60 * 60_000;

/** Refused in private windows and by settings; the app that is opened again sends then. */
async function askForWaking(): Promise<void> {
  sender ??= findSender();
  const registration: Syncing = await sender;
  await registration.sync?.register(OUTBOX_SYNC_TAG);
  const rarely = { minInterval: NOW_AND_THEN_MS };
  await registration.periodicSync?.register(OUTBOX_SYNC_TAG, rarely);
}

let sender: Promise<ServiceWorkerRegistration> | null = null;

/** The worker that sends (sw/sender.ts); the app's own, which can wake pages, where it is missing. */
async function findSender(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator;
  try {
    const scope = "/sender/";
    const registration = await serviceWorker.register(ownScript("/sender.js"), { scope });
    const { active, installing } = registration;
    if (active !== null) void registration.update().catch(() => undefined);
    else if (installing !== null) await untilActive(installing);
    return registration;
  } catch {
    sender = null;
    return serviceWorker.ready;
  }
}

const untilActive = (worker: ServiceWorker): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("The sender was not installed"));
    };
    worker.addEventListener("statechange", look);
    look();
  });

/** From here on this page sends: a worker that is doing so leaves the rest to it. */
function takeOverSending(): void {
  const pages = new BroadcastChannel(PAGES);
  pages.postMessage(null);
  pages.close();
}

/** The worker has no localStorage. */
function keepSessionCopied({ auth }: Client): void {
  const copy = () => void copySession(localStorage).catch(() => undefined);
  auth.session.subscribe(copy);
  onMayUploadChange(copy);
  copy();
}

let askedToPersist = false;

/** Asks the browser to keep our data, once: some never answer, and others ask the person. */
function askToPersist(): void {
  if (askedToPersist) return;
  askedToPersist = true;
  void navigator.storage?.persist?.().catch(() => undefined);
}

/** Not every browser tells of an installation: there the first start from the home screen does. */
function persistWhenInstalled(): void {
  window.addEventListener("appinstalled", askToPersist);
  if (matchMedia("(display-mode: standalone)").matches) askToPersist();
}

function onSessionChange(changed: () => void): () => void {
  window.addEventListener("storage", changed);
  return () => window.removeEventListener("storage", changed);
}
