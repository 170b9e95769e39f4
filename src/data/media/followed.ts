/**
 * What those post whom one follows: a list with a window of its own, which is named after the newest
 * follow. Where somebody else is followed since, older media of theirs are missing in what was read,
 * so that window counts no more. The gallery's counts as well: above its end everybody's are here.
 */
import { isRecord, toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope } from "@/data/engine/context";
import type { ListWindow, Windows } from "@/data/engine/device-store";
import { parseList } from "@/data/engine/lists";
import type { Ahead } from "@/data/engine/noun";
import type { Remote } from "@/data/engine/remote";
import { type Followed, followedHere } from "@/data/people/follows";
import type { FeedQuery } from "@/data/shapes";
import { failed, ok, type Result } from "@/domain/result";
import type { FeedBounds } from "./windows";
import { deepestKey, hasEnough, windowAfter, windowOf } from "./windows";

const PREFIX = "following ";

/** Undefined where nothing was pulled. */
export function followedWindow(
  windows: Windows,
  { filter }: Pick<FeedQuery, "filter">,
  { newest }: Followed,
): ListWindow | undefined {
  const own = windows.get(PREFIX + newest);
  const everybody = windowOf(windows, { filter });
  if (own === undefined || everybody === undefined) return own ?? everybody;
  const isDeeper = own === "end" || (everybody !== "end" && own.createdAt < everybody.createdAt);
  return isDeeper ? own : everybody;
}

/** The server's most. */
const PAGE = 60;

/** As `pullOlderMedia`. Of all kinds: there is no index for those of one. */
export async function pullFollowed(
  remote: Remote,
  { replica, device, filled }: Pick<Scope, "replica" | "device"> & { filled: boolean },
  query: FeedQuery,
  bounds: FeedBounds & { followed: Followed },
): Promise<Result<{ more: boolean }>> {
  const { followed } = bounds;
  const reached = followedWindow(device.windows$.value, query, followed);
  if (reached === "end" || followed.ids.length === 0) return ok({ more: false });
  const isHere = reached !== undefined && filled;
  if (isHere && (await hasEnough(replica, query, bounds))) return ok({ more: true });
  const answer = await remote.request("/api/following/media", {
    query: { before: reached?.createdAt, beforeId: reached?.id, limit: PAGE },
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const records = parseList(answer.body);
  if (records === null) return failed("network");
  await writeRecords(replica, "media", records);
  const more = isRecord(answer.body) && answer.body["more"] === true;
  const next = more ? windowAfter(records, records.length) : "end";
  await device.changeWindows((stored) => {
    const now = followedWindow(stored, query, followed);
    // Evicted rows may have ended the list since.
    if (now !== reached && (now === "end" || now?.id !== reached?.id)) return stored;
    const others = [...stored].filter(([name]) => !name.startsWith(PREFIX));
    return new Map([...others, [PREFIX + followed.newest, next]]);
  });
  return ok({ more });
}

/** So many are here before anybody asks. */
export const FOLLOWED_AHEAD: FeedQuery = { filter: "all", sort: "following", limit: 20 };

/** So that the list is here without a network, on each device that knows of the follows. */
export async function fetchFollowedAhead({ remote, replica, device, userId, mayAsk }: Ahead) {
  const followed = await followedHere({ replica, userId });
  const reached = followedWindow(device.windows$.value, FOLLOWED_AHEAD, followed);
  const bounds = { followed, only: followed.ids, deepest: deepestKey(reached) };
  if (!(await mayAsk())) return failed("canceled");
  const stores = { replica, device, filled: true };
  const pulled = await pullFollowed(remote, stores, FOLLOWED_AHEAD, bounds);
  return pulled.success ? ok(null) : pulled;
}
