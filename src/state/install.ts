/**
 * Installing the app: whether this browser can, whether it is a good moment to say so, and what
 * follows. What was answered lies on the device: never twice after a no.
 */
import { useEffect, useState, useSyncExternalStore } from "react";
import { PAGE_SIZE } from "@/domain/limits";
import { createCell } from "@/lib/cell";
import { whenClient } from "./client-store";
import { useOutbox } from "./outbox";
import { fieldsOf, storedJson } from "./stored";
import { showToast } from "./toasts";

/** Chromium's offer, which TypeScript's library does not know. It can be used once. */
interface InstallEvent extends Event {
  prompt: () => Promise<{ outcome: "accepted" | "dismissed" }>;
}

const offered = createCell<InstallEvent | null>(null);

declare global {
  interface Window {
    /** The browser's offer, where it came before this module (app/first-paint/paint.ts). */
    installOffer?: Event;
  }
}

/** The browser says it once, and maybe before this. */
export function noticeInstallOffer(): void {
  if (window.installOffer !== undefined) offered.set(window.installOffer as InstallEvent);
  window.addEventListener("beforeinstallprompt", (event) => offered.set(event as InstallEvent));
  window.addEventListener("appinstalled", () => {
    offered.set(null);
    void afterInstalling();
  });
}

/** So long after the last page a new one is a new visit. */
const VISIT_MS = 30 * 60_000;

interface Visits {
  count: number;
  /** When a page was opened last, in milliseconds. */
  at: number;
  isAnswered: boolean;
}

const stored = storedJson("local", "augenblick.install", (value): Visits | null => {
  const { count, at, isAnswered } = fieldsOf(value);
  const isWhole =
    typeof count === "number" && typeof at === "number" && typeof isAnswered === "boolean";
  return isWhole ? { count, at, isAnswered } : null;
});

/** Counts this page, and returns what is known with it. */
function visit(): Visits {
  const before = stored.read() ?? { count: 0, at: 0, isAnswered: false };
  const isNew = Math.abs(Date.now() - before.at) >= VISIT_MS;
  const now = { ...before, count: before.count + Number(isNew), at: Date.now() };
  stored.write(now);
  return now;
}

/** How this browser installs: it asks, it is shown by hand (iOS), or not at all. */
export type InstallWay = "asks" | "by-hand" | null;

/** Apple's browsers on phones and tablets say `false` of a page that is not on the home screen. */
export const isByHand = (): boolean =>
  (navigator as Navigator & { standalone?: boolean }).standalone === false;

/** Where it is installed already, no browser offers it. */
export function useInstallWay(): InstallWay {
  const event = useSyncExternalStore(offered.subscribe, offered.getSnapshot);
  if (event !== null) return "asks";
  return isByHand() ? "by-hand" : null;
}

/** The browser's own question. Resolves with whether it was agreed to; a no counts as answered. */
export async function install(): Promise<boolean> {
  const event = offered.getSnapshot();
  if (event === null) return false;
  offered.set(null);
  // One that the browser has taken back cannot be answered.
  const { outcome } = await event.prompt().catch(() => ({ outcome: "none" }));
  if (outcome === "dismissed") answerInstall();
  return outcome === "accepted";
}

const answered = createCell(false);

/** Never asked again. */
export function answerInstall(): void {
  answered.set(true);
  const { count = 0, at = 0 } = stored.read() ?? {};
  stored.write({ count, at, isAnswered: true });
}

/** The way, at the second visit or once something is to be uploaded; until it is answered. */
export function useInstallOffer(): InstallWay {
  const way = useInstallWay();
  const { items } = useOutbox();
  const [visits, setVisits] = useState<Visits | null>(null);
  // Outside: web storage.
  useEffect(() => setVisits(visit()), []);
  const isAnswered = useSyncExternalStore(answered.subscribe, answered.getSnapshot);
  const [hasUploaded, setUploaded] = useState(false);
  if (!hasUploaded && items.some(({ isUpload }) => isUpload)) setUploaded(true);
  if (visits === null || visits.isAnswered || isAnswered) return null;
  return visits.count > 1 || hasUploaded ? way : null;
}

/** Keeps what a first look without a network shows, and says that this is there. */
async function afterInstalling(): Promise<void> {
  const { reads } = await whenClient();
  const page = reads.watchFeed({ filter: "all", sort: "latest", limit: PAGE_SIZE });
  const urls = await new Promise<string[]>((resolve) => {
    const leave = page.subscribe(look);
    function look(): void {
      const now = page.getSnapshot();
      if (now.state === "loading") return;
      // Not before `subscribe` has returned.
      queueMicrotask(() => leave());
      const items = now.state === "ready" ? now.value.items : [];
      resolve(items.map(({ previewUrl, thumbnailUrl }) => previewUrl || thumbnailUrl));
    }
    look();
  });
  const { warm } = await import("@/media-cache/worker-messages");
  warm(urls.filter(Boolean));
  showToast({ title: { key: "install.done" }, description: { key: "install.doneText" } });
}
