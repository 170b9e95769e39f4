/** The one client of a page, wired to the browser. Import it dynamically: it brings RxDB along. */
import { abortOnLeave } from "@/lib/abort-on-leave";
import { mayUpload, onMayUploadChange } from "@/lib/metered-connection";
import { canSendWhenClosed } from "@/lib/sends-when-closed";
import { forgetInMediaCache } from "@/media-cache/cache";
import { forgetPrivateMedia, OUTBOX_SYNC } from "@/media-cache/worker-messages";
import { copySession } from "./account/session-copy";
import { browserBasics } from "./browser-basics";
import type { Client } from "./client";
import { createClient } from "./create-client";
import type { ClientDeps, KeyValue } from "./engine/deps";
import type { PendingWrites } from "./engine/pending";
import { takeFirstMedia } from "./first-media";
import type { WhenClosed } from "./when-closed";

let client: Promise<Client> | null = null;

/** The page's client; made on the first call. `pending` is what was tapped before. */
export function browserClient(pending: PendingWrites): Promise<Client> {
  if (client === null) {
    const made = createClient({ ...browserDeps(), pending });
    client = Promise.resolve(made);
    persistWhenInstalled();
    if (canSendWhenClosed()) {
      keepSessionCopied();
      void keepSending(made);
    }
  }
  return client;
}

/** What has things sent while the app is closed, once its part is there. */
let whenClosed: WhenClosed | null = null;
/** Whether anything waits to be sent. */
let waiting = false;

async function keepSending(made: Client): Promise<void> {
  const log = browserBasics().log;
  try {
    const part = await import("./when-closed");
    whenClosed = part.keepSending(made, log, waiting);
  } catch (error) {
    log("What sends while the app is closed could not be loaded", error);
  }
}

/** The worker that sends cannot read localStorage: what it needs of it is copied. */
function keepSessionCopied(): void {
  const { log } = browserBasics();
  const copy = () =>
    void copySession(localStorage, {
      language: document.documentElement.lang,
      productName: nameOfPage(),
    }).catch((error) => log("The session could not be copied", error));
  onStored = copy;
  // What another tab has stored is heard of here, too.
  onMayUploadChange(copy);
  // The language may have changed.
  document.addEventListener("visibilitychange", copy);
  copy();
}

let onStored = () => {};

const local: KeyValue = {
  getItem: (key) => localStorage.getItem(key),
  setItem(key, value) {
    localStorage.setItem(key, value);
    onStored();
  },
  removeItem(key) {
    localStorage.removeItem(key);
    onStored();
  },
};

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
      local,
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
    onQueue,
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
    uploads: { allowed: mayUpload, onChange: onMayUploadChange },
    productName: nameOfPage(),
  };
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

/** What is queued is not to be swept away. */
function onQueue(waits: boolean): void {
  waiting = waits;
  if (waits) askToPersist();
  whenClosed?.onQueue(waits);
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
