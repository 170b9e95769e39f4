/** Where a person is in this tab, kept in session storage for a reload. */
import { mediaIn } from "@/data/media/posts";
import type { FeedFilter, FeedSort, MediaView } from "@/data/shapes";
import { idFromSlug, mediaSlug, paths } from "@/domain/paths";
import { fieldsOf, storedJson } from "./stored";

export const PLACE_KEY = "augenblick.place";
const MOST_TOPS = 50;

export interface Rows {
  key: string;
  limit: number;
}

interface Place {
  filter: FeedFilter;
  sort: FeedSort;
  /** Of the gallery, and of a search. */
  feed: Rows | null;
  found: Rows | null;
  tops: [key: string, top: number][];
  /** Not at the top of the unfiltered gallery. The inline script of index.html reads it. */
  away: boolean;
}

const storedPlace = storedJson("session", PLACE_KEY, (value): Place | null => {
  const { filter, sort, feed, found, tops } = fieldsOf(value);
  const isPlace =
    ["all", "photos", "videos"].includes(filter as string) &&
    ["latest", "popular", "following"].includes(sort as string) &&
    isRows(feed) &&
    isRows(found) &&
    Array.isArray(tops);
  return isPlace ? (value as Place) : null;
});

const isRows = (value: unknown): boolean =>
  value === null || (typeof value === "object" && "key" in value && "limit" in value);

/** The rows that the lists show; each list writes its own. */
export const shownRows: Pick<Place, "feed" | "found"> = { feed: null, found: null };

export function writePlace(now: Pick<Place, "filter" | "sort" | "tops">): void {
  const { filter, sort, tops } = now;
  const away = filter !== "all" || sort !== "latest" || window.scrollY > window.innerHeight / 2;
  // If there is no room, a reload starts at the top.
  storedPlace.write({ filter, sort, ...shownRows, tops: tops.slice(-MOST_TOPS), away });
}

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  const type = (entry as PerformanceNavigationTiming | undefined)?.type;
  return type === "reload" || type === "back_forward";
}

/** The place before a reload, read once; null for a page whose address was typed or followed. */
export const placeBefore: Place | null = wasReloaded() ? storedPlace.read() : null;

/** An address, and the history entry that knows how far it was scrolled. */
export interface Stand {
  to: string;
  key: string;
}

/** State of an address to which a tab led. */
export interface FromTab {
  /** The key of the history entry where it was left, or "". */
  fromTab: string;
  tab: string;
  /** The tab's own page, as it was left. */
  first?: Stand | undefined;
}

/** The page behind one to which a tab led, with its state; null for any other. */
export function pageOfTab(state: unknown): { to: string; state: FromTab } | null {
  const { fromTab, tab, first } = fieldsOf(state);
  if (typeof fromTab !== "string" || fromTab === "" || typeof tab !== "string") return null;
  const { to, key } = fieldsOf(first);
  return typeof to === "string" && typeof key === "string"
    ? { to, state: { fromTab: key, tab, first: { to, key } } }
    : { to: paths.home, state: { fromTab: "", tab } };
}

/** The history entry to which an address comes back; null for a page that is opened. */
export function returnKey(place: { key: string; state: unknown }, type: string): string | null {
  if (type === "POP") return place.key;
  const { fromTab } = fieldsOf(place.state);
  return typeof fromTab === "string" && fromTab !== "" ? fromTab : null;
}

export const OPENED_MEDIA_KEY = "mediaId";

const storedOpened = storedJson("session", OPENED_MEDIA_KEY, (value) =>
  isOpened(value) ? value : null,
);

/** Remembers the medium last opened (specification §2, /view). */
export function rememberOpened(slug: string, id: string): void {
  storedOpened.write({ slug, id });
}

let atHand: MediaView | null = null;

/**
 * Call it with a card that is opened: its page shows what the card knows until more is read. What
 * was put away while its file waited to be sent has lost the file's address: it is looked up.
 */
export function rememberCard(media: MediaView): void {
  atHand = media.url === "" ? null : media;
  rememberOpened(mediaSlug(media), media.id);
}

/** What it knew was for whoever was signed in. */
export function forgetCard(): void {
  atHand = null;
}

/** What the card knew from which that medium was opened. */
export const mediumAtHand = (id: string): MediaView | null => (atHand?.id === id ? atHand : null);

/** The remembered id counts only for its own slug; any other slug contains the id. */
export function openedMediaId(slug: string): string {
  const opened = storedOpened.read();
  return opened?.slug === slug ? opened.id : idFromSlug(slug);
}

/** The list of media on the screen, for the page of the one that is opened. */
export const shownList: { items: readonly Listed[] } = { items: [] };

interface Listed {
  id: string;
  caption: string;
  members?: readonly Listed[];
}

/** List entries that are kept on each side of the opened medium. */
const REACH = 250;

export type Opened = { id: string; slug: string };
export type Neighbours = Record<"previous" | "next", Opened | null>;

const storedList = storedJson("session", "mediaList", (value) =>
  Array.isArray(value) ? value.filter(isOpened) : null,
);

function isOpened(value: unknown): value is Opened {
  const { id, slug } = fieldsOf(value);
  return typeof id === "string" && typeof slug === "string";
}

/** Call it when a medium is opened. A list without that medium does not replace the stored one. */
export function rememberList(id: string): void {
  const items = mediaIn(shownList.items);
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return;
  const near = items.slice(Math.max(0, at - REACH), at + REACH + 1);
  // Without room there is no way to step; everything else works.
  storedList.write(near.map((item) => ({ id: item.id, slug: mediaSlug(item) })));
}

/**
 * The media before and after this one in the list it was opened from; those of its post, `members`
 * in their order, come first.
 */
export function neighboursOf(id: string, members: readonly Listed[] = []): Neighbours {
  const list = storedList.read() ?? [];
  const at = members.findIndex((member) => member.id === id);
  const own = new Set(at < 0 ? [id] : members.map((member) => member.id));
  const first = list.findIndex((item) => own.has(item.id));
  const last = list.findLastIndex((item) => own.has(item.id));
  const opened = (member: Listed | undefined) =>
    member && { id: member.id, slug: mediaSlug(member) };
  return {
    previous: opened(members[at - 1]) ?? list[first - 1] ?? null,
    next: (at < 0 ? null : opened(members[at + 1])) ?? (last < 0 ? null : list[last + 1]) ?? null,
  };
}

/** Steps skip a medium that was deleted. */
export function forgetInList(id: string): void {
  // The remembered list is made from the one on the screen, which would bring it back.
  shownList.items = mediaIn(shownList.items).filter((item) => item.id !== id);
  storedList.write((storedList.read() ?? []).filter((item) => item.id !== id));
}
