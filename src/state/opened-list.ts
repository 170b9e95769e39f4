/** The list that a medium was opened from, in session storage: what "previous" and "next" mean on its page. */
import { mediaSlug } from "@/domain/paths";
import { shownList } from "./shown-list";

const KEY = "mediaList";
/** Kept on each side of the one that was opened. */
const REACH = 250;

export interface Neighbour {
  id: string;
  slug: string;
}
export interface Neighbours {
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** Call it when a medium is opened. Where it stands in no list on the screen, the one it was opened from before holds. */
export function rememberList(id: string, store: Storage): void {
  const { items } = shownList;
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return;
  const near = items.slice(Math.max(0, at - REACH), at + REACH + 1);
  try {
    store.setItem(
      KEY,
      JSON.stringify(near.map((item) => ({ id: item.id, slug: mediaSlug(item) }))),
    );
  } catch {
    // Full, or denied: there is then no way to step, and every other way stays.
  }
}

/** What stands before and after the medium in the list it was opened from; nothing where it was in none. */
export function neighboursOf(id: string, store: Storage): Neighbours {
  const list = readList(store);
  const at = list.findIndex((item) => item.id === id);
  if (at < 0) return { previous: null, next: null };
  return { previous: list[at - 1] ?? null, next: list[at + 1] ?? null };
}

/** What is there no more is stepped over from now on. */
export function forgetInList(id: string, store: Storage): void {
  // Otherwise the list of the screen, from which the kept one is made, would bring it back.
  shownList.items = shownList.items.filter((item) => item.id !== id);
  const rest = readList(store).filter((item) => item.id !== id);
  try {
    store.setItem(KEY, JSON.stringify(rest));
  } catch {
    // Full, or denied: it is met again, and led away from again.
  }
}

function readList(store: Storage): Neighbour[] {
  try {
    const value: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? value.filter(isNeighbour) : [];
  } catch {
    // Something else wrote there.
    return [];
  }
}

const isNeighbour = (value: unknown): value is Neighbour =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  "slug" in value &&
  typeof value.id === "string" &&
  typeof value.slug === "string";
