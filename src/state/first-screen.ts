/**
 * The stored first screen: the rows that the gallery showed last, kept small, for the first paint
 * alone (law 1). The inline script of index.html draws it before any module loads, then React draws
 * the same, then the replica takes over. The sign-out removes it. Its format lies on users'
 * devices: a new format gets a new version. The inline scripts contain this module, so it may not
 * import React.
 */
import type {} from "@/data/first-media";
import type { MediaView } from "@/data/shapes";
import { placeholderColor } from "@/lib/placeholder";
import { fieldsOf, removeStored, storedJson } from "./stored";

export const FIRST_SCREEN_KEY = "augenblick.first-screen";
/** Before the path of a route: its frame. */
export const FRAME_PREFIX = "augenblick.frame.";
const VERSION = 2;
/** Enough for a tall tablet; more would only make parsing slower. */
const MOST = 12;
const MOST_TAGS = 4;

interface FirstScreen {
  version: typeof VERSION;
  /** The person who saw it, "" for a visitor. It is never drawn for anybody else. */
  userId: string;
  productName: string;
  items: FirstScreenItem[];
}

interface FirstScreenItem extends MediaView {
  /** CSS colour of the picture, until the picture is loaded. */
  color: string;
}

const stored = storedJson("local", FIRST_SCREEN_KEY, (value): FirstScreen | null => {
  const { version, items } = fieldsOf(value);
  return version === VERSION && Array.isArray(items) ? (value as FirstScreen) : null;
});

/** Object URLs of files that wait to be sent die with the page: only the colour is kept. */
function withoutObjectUrls({ members: _, ...item }: MediaView): FirstScreenItem {
  const keep = (url: string) => (url.startsWith("blob:") ? "" : url);
  return {
    ...item,
    url: keep(item.url),
    thumbnailUrl: keep(item.thumbnailUrl),
    previewUrl: keep(item.previewUrl),
    caption: item.caption.slice(0, 200),
    tags: item.tags.slice(0, MOST_TAGS),
    color: placeholderColor(item.thumbhash),
  };
}

export function writeFirstScreen(screen: {
  userId: string;
  productName: string;
  items: readonly MediaView[];
}): void {
  const items = screen.items.slice(0, MOST).map(withoutObjectUrls);
  const isWritten = stored.write({ ...screen, version: VERSION, items });
  // No stored screen is better than an old one.
  if (!isWritten) wipeFirstScreen();
}

/** Null when none is stored, or one of somebody else or of another version. */
export function readFirstScreen(userId: string): FirstScreen | null {
  const screen = stored.read();
  return screen?.userId === userId ? screen : null;
}

/** The rows, and the frames of all routes (app/keep-frame.ts). */
export function wipeFirstScreen(): void {
  stored.write(null);
  removeStored("local", FRAME_PREFIX);
}

/** Fired when a visitor's first media are in the stored first screen (app/first-paint). */
export const FIRST_MEDIA_EVENT = "first-media";

/** Whether a visitor's first media came with this page; they may arrive after the app. */
export const firstMedia = {
  subscribe(onChange: () => void): () => void {
    window.addEventListener(FIRST_MEDIA_EVENT, onChange);
    return () => window.removeEventListener(FIRST_MEDIA_EVENT, onChange);
  },
  stand: (): boolean => window.firstMedia?.stand === true,
};
