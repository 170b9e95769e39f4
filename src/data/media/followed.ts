/**
 * What those post whom one follows: a list with a window of its own, named after the newest follow.
 * Where somebody else is followed since, older media of theirs are missing in what was read: that
 * window counts no more. The gallery's counts as well: above its end everybody's are here.
 */
import type { ListWindow, Windows } from "@/data/engine/device-store";
import type { Followed } from "@/data/people/follows";
import type { FeedQuery } from "@/data/shapes";
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
