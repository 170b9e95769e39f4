/**
 * The snapshot of the first screen: what the gallery showed last, kept small, for the first paint alone (law 1). The inline
 * script of index.html draws it before any module loads, then React draws the same from it, then the replica takes over.
 * It is wiped with the sign-out. Its form lies on users' devices: a new form gets a new version.
 */

import type {} from "@/data/first-media";
import type { MediaView } from "@/data/shapes";
import { placeholderColor } from "@/lib/placeholder";

export const FIRST_SCREEN_KEY = "augenblick.first-screen";
const VERSION = 2;
/** Enough for a tall tablet; more would only make the parse longer. */
const MOST = 12;
/** No card shows more tags. */
const MOST_TAGS = 4;

export interface FirstScreen {
  version: typeof VERSION;
  /** Who saw it, or "" for a visitor: never drawn for someone else. */
  userId: string;
  productName: string;
  items: FirstScreenItem[];
}

export interface FirstScreenItem extends MediaView {
  /** CSS colour of the picture, for the moment before it is there. */
  color: string;
}

/** What waits has object addresses that die with the page: their colour stands in for them. */
function lasting(item: MediaView): FirstScreenItem {
  const keep = (url: string) => (url.startsWith("blob:") ? "" : url);
  return {
    ...item,
    url: keep(item.url),
    thumbnailUrl: keep(item.thumbnailUrl),
    previewUrl: keep(item.previewUrl),
    caption: item.caption.slice(0, 120),
    tags: item.tags.slice(0, MOST_TAGS),
    color: placeholderColor(item.thumbhash),
  };
}

export function writeFirstScreen(
  screen: { userId: string; productName: string; items: readonly MediaView[] },
  store: Storage,
): void {
  const items = screen.items.slice(0, MOST).map(lasting);
  try {
    store.setItem(FIRST_SCREEN_KEY, JSON.stringify({ ...screen, version: VERSION, items }));
  } catch {
    // Full: no snapshot is better than an old one.
    store.removeItem(FIRST_SCREEN_KEY);
  }
}

/** The snapshot for `userId`, or null when there is none, or one of someone else or of another version. */
export function readFirstScreen(store: Storage, userId: string): FirstScreen | null {
  try {
    const value: unknown = JSON.parse(store.getItem(FIRST_SCREEN_KEY) ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const screen = value as FirstScreen;
    const ours =
      screen.version === VERSION && screen.userId === userId && Array.isArray(screen.items);
    return ours ? screen : null;
  } catch {
    return null;
  }
}

/** Told on the window when a visitor's first media stand in the snapshot (app/first-paint). */
export const FIRST_MEDIA_EVENT = "first-media";

/** Whether they came with this page; they may come after the app. */
export const firstMedia = {
  subscribe(onChange: () => void): () => void {
    window.addEventListener(FIRST_MEDIA_EVENT, onChange);
    return () => window.removeEventListener(FIRST_MEDIA_EVENT, onChange);
  },
  stand: (): boolean => window.firstMedia?.stand === true,
};

export const wipeFirstScreen = (store: Storage): void => store.removeItem(FIRST_SCREEN_KEY);
