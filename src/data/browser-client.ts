/** The one client of a page, wired to the browser. Import it dynamically: it brings RxDB along. */
import { abortOnLeave } from "@/lib/abort-on-leave";
import { mayUpload, onMayUploadChange } from "@/lib/metered-connection";
import {
  forgetInMediaCache,
  keepInMediaCache,
  keptMediaIds,
  readUsage,
  trimMediaCache,
} from "@/media-cache/cache";
import { forgetPrivateMedia, OUTBOX_SYNC, OUTBOX_SYNC_TAG } from "@/media-cache/worker-messages";
import type { Client } from "./client";
import { createClient } from "./create-client";
import type { ClientDeps } from "./engine/deps";
import type { PendingWrites } from "./engine/pending";
import { takeFirstMedia } from "./first-media";

let client: Promise<Client> | null = null;

/** The page's client; made on the first call. `pending` is what was tapped before. */
export function browserClient(pending: PendingWrites): Promise<Client> {
  if (client === null) {
    client = Promise.resolve(createClient({ ...browserDeps(), pending }));
    persistWhenInstalled();
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
    baseUrl: location.origin,
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
    now: () => Date.now(),
    random: secureRandom,
    delay: wait,
    multiInstance: true,
    ...("locks" in navigator ? { locks: navigator.locks } : {}),
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
    keepMedia: (entries) => keepInMediaCache(entries),
    dropMedia: (urls) => (urls === "private" ? forgetPrivateMedia() : forgetInMediaCache(urls)),
    room: { estimate: estimateRoom, emptyCaches: () => trimMediaCache(0), keptMedia: keptMediaIds },
    uploads: { allowed: mayUpload, onChange: onMayUploadChange },
    productName: nameOfPage(),
    // biome-ignore lint/suspicious/noConsole: the page's one place for what goes wrong unseen.
    log: (message, error) => console.warn(message, error),
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

/** Ids are made from it, so it must not repeat between two pages that start in the same moment. */
function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
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

type Syncing = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Asks for a wake-up when there is a network again, and that what is queued is not swept away. */
function onQueued(): void {
  // Refused in private windows and by settings.
  void navigator.serviceWorker?.ready
    .then((registration: Syncing) => registration.sync?.register(OUTBOX_SYNC_TAG))
    .catch(() => undefined);
  askToPersist();
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
