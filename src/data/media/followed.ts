/**
 * What those post whom one follows, and what has a followed tag: a list with a window of its own,
 * named after the newest follow. Where somebody else is followed since, older media of theirs are
 * missing in what was read: that window counts no more. The gallery's counts as well: above its
 * end everybody's are here.
 */
import {
  combineLatest,
  distinctUntilChanged,
  from,
  map,
  type Observable,
  of,
  switchMap,
} from "rxjs";
import type { Scope } from "@/data/engine/context";
import type { ListWindow, Windows } from "@/data/engine/device-store";
import { sameList } from "@/data/engine/live";
import type { Followed } from "@/data/people/follows";
import { blockedIds$ } from "@/data/people/views";
import type { FeedQuery } from "@/data/shapes";
import { nextTask } from "@/lib/next-task";
import type { MediaEntry } from "./search-index";
import { windowOf } from "./windows";

export const FOLLOWED_WINDOW = "following ";
/** So many are here before anybody asks. */
export const FOLLOWED_AHEAD: FeedQuery = { filter: "all", sort: "following", limit: 20 };

/** Of all kinds, as what is pulled. Undefined where nothing was. */
export function followedWindow(windows: Windows, { newest }: Followed): ListWindow | undefined {
  const own = windows.get(FOLLOWED_WINDOW + newest);
  const everybody = windowOf(windows, { filter: "all" });
  if (own === undefined || everybody === undefined) return own ?? everybody;
  const isDeeper = own === "end" || (everybody !== "end" && own.createdAt < everybody.createdAt);
  return isDeeper ? own : everybody;
}

/** Ids of the newest media here, `most` at most, that have one of `tags`: others' alone. */
export function tagged$(scope: Scope, tags: readonly string[], most: number): Observable<string[]> {
  const wanted = new Set(tags);
  // Not for the inline script, which shares what a medium looks like.
  return from(loadIndex(scope)).pipe(
    switchMap((index) => combineLatest([of(index), index.version$, blockedIds$(scope)])),
    map(([index, , blocked]) => {
      const hidden = new Set([...blocked, scope.userId]);
      const isWanted = (entry: MediaEntry) =>
        !hidden.has(entry.userId) && entry.tags.some((tag) => wanted.has(tag));
      return index
        .media()
        .filter(isWanted)
        .slice(0, most)
        .map(({ id }) => id);
    }),
    distinctUntilChanged(sameList),
  );
}

async function loadIndex({ replica }: Scope) {
  const { searchIndexOf } = await import("./search-index");
  const index = searchIndexOf(replica, nextTask);
  await index.load();
  return index;
}
