/**
 * Where one is in this tab: filter, order, how many rows are shown, how far down. Kept in session storage when the page goes, so that a
 * reload finds the place again; whoever types the address begins anew. The inline script of index.html reads `away`.
 */
import type { FeedFilter, FeedSort } from "@/data/shapes";

export const PLACE_KEY = "augenblick.place";
/** History entries whose places are kept. */
const MOST = 50;

export interface Rows {
  /** Of what list. */
  key: string;
  limit: number;
}

interface Place {
  filter: FeedFilter;
  sort: FeedSort;
  /** Of the gallery, and of what a search found. */
  feed: Rows | null;
  found: Rows | null;
  /** Scroll positions by history entry. */
  tops: [key: string, top: number][];
  /** Somewhere else than at the gallery's beginning: the snapshot of the first screen would show the wrong place. */
  away: boolean;
}

/** How far the lists have come, put in by themselves. */
export const shownRows: Pick<Place, "feed" | "found"> = { feed: null, found: null };

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  const type = (entry as PerformanceNavigationTiming | undefined)?.type;
  return type === "reload" || type === "back_forward";
}

/** What this tab showed before it was loaded again; null for a page that begins anew. */
export function readPlace(store: Storage): Place | null {
  try {
    const value: unknown = JSON.parse(store.getItem(PLACE_KEY) ?? "null");
    return isPlace(value) ? value : null;
  } catch {
    // Denied, or something else wrote there: the page begins anew.
    return null;
  }
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== "object" || value === null) return false;
  const { filter, sort, feed, found, tops } = value as Record<keyof Place, unknown>;
  return (
    ["all", "photos", "videos"].includes(filter as string) &&
    ["latest", "popular"].includes(sort as string) &&
    isRows(feed) &&
    isRows(found) &&
    Array.isArray(tops)
  );
}

const isRows = (value: unknown): boolean =>
  value === null || (typeof value === "object" && "key" in value && "limit" in value);

export function writePlace(now: Pick<Place, "filter" | "sort" | "tops">, store: Storage): void {
  const { filter, sort, tops } = now;
  const away = filter !== "all" || sort !== "latest" || window.scrollY > window.innerHeight / 2;
  const value: Place = { filter, sort, ...shownRows, tops: tops.slice(-MOST), away };
  try {
    store.setItem(PLACE_KEY, JSON.stringify(value));
  } catch {
    // Full or denied: a reload then begins at the top.
  }
}

/** The place before the reload, read once. */
export const placeBefore: Place | null =
  typeof sessionStorage === "object" && wasReloaded() ? readPlace(sessionStorage) : null;
