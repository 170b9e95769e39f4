/** Asks for what those post whom one follows; followed.ts says how far the device has it. */
import { isRecord, toFailure } from "@/data/engine/answers";
import { writeRecords } from "@/data/engine/apply";
import type { Scope } from "@/data/engine/context";
import { parseList } from "@/data/engine/lists";
import type { Ahead } from "@/data/engine/noun";
import type { Remote } from "@/data/engine/remote";
import { type Followed, followedHere } from "@/data/people/follows";
import type { FeedQuery } from "@/data/shapes";
import { failed, ok, type Result } from "@/domain/result";
import { FOLLOWED_AHEAD, FOLLOWED_WINDOW, followedWindow } from "./followed";
import { deepestKey, type FeedBounds, hasEnough, windowAfter } from "./windows";

/** The server's most. */
const PAGE = 60;

const isNothing = ({ people, tags }: Followed) => people.length + tags.length === 0;

/** As `pullOlderMedia`. Of all kinds: there is no index for those of one. */
export async function pullFollowed(
  remote: Remote,
  { replica, device, filled }: Pick<Scope, "replica" | "device"> & { filled: boolean },
  query: FeedQuery,
  bounds: FeedBounds & { followed: Followed },
): Promise<Result<{ more: boolean }>> {
  const { followed } = bounds;
  const reached = followedWindow(device.windows$.value, followed);
  if (reached === "end" || isNothing(followed)) return ok({ more: false });
  const isHere = reached !== undefined && filled;
  if (isHere && (await hasEnough(replica, query, bounds))) return ok({ more: true });
  const answer = await remote.request("/api/following/media", {
    query: { before: reached?.createdAt, beforeId: reached?.id, limit: PAGE, tags: 1 },
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const records = parseList(answer.body);
  if (records === null) return failed("network");
  await writeRecords(replica, "media", records);
  const more = isRecord(answer.body) && answer.body["more"] === true;
  const next = more ? windowAfter(records, records.length) : "end";
  await device.changeWindows((stored) => {
    const now = followedWindow(stored, followed);
    // Evicted rows may have ended the list since.
    if (now !== reached && (now === "end" || now?.id !== reached?.id)) return stored;
    const others = [...stored].filter(([name]) => !name.startsWith(FOLLOWED_WINDOW));
    return new Map([...others, [FOLLOWED_WINDOW + followed.newest, next]]);
  });
  return ok({ more });
}

/** So that the list is here without a network, on each device that knows of the follows. */
export async function fetchFollowedAhead({ remote, replica, device, userId, mayAsk }: Ahead) {
  const followed = await followedHere({ replica, userId });
  const reached = followedWindow(device.windows$.value, followed);
  // What has a tag is not counted: once is enough.
  if (followed.tags.length > 0 && device.windows$.value.has(FOLLOWED_WINDOW + followed.newest))
    return ok(null);
  const bounds = { followed, only: followed.people, deepest: deepestKey(reached) };
  if (!(await mayAsk())) return failed("canceled");
  const stores = { replica, device, filled: true };
  const pulled = await pullFollowed(remote, stores, FOLLOWED_AHEAD, bounds);
  return pulled.success ? ok(null) : pulled;
}
