/**
 * One pull: brings the replica up to the feed's head. A page's rows are written before its checkpoint, so a
 * crash between the two applies the page again, which changes nothing. No failure ever removes a row (law 4).
 */
import type { RxCollection } from "rxdb";
import type { Remote } from "@/data/remote/create-remote";
import { toFailure } from "@/data/remote/failures";
import type { DeviceStore, SyncState } from "@/data/replica/device-store";
import { deepestKey, setWindow } from "@/data/replica/list-windows";
import type { CacheName, Replica } from "@/data/replica/open-replica";
import type { RawRecord, ReplicaRow } from "@/data/schema/define-schema";
import { textOf } from "@/data/schema/define-schema";
import { failed, ok, type Result } from "@/domain/result";
import { type Applied, applyChanges, removeRows, writeRecords } from "./apply-changes";
import { parsePage, parsePosition } from "./parse-page";
import { pullAll, pullNewestMedia } from "./pull-lists";

const FEED_PAGE = 500;

export interface PullDeps {
  remote: Remote;
  replica: Replica;
  device: Pick<DeviceStore, "readSync" | "writeSync" | "windows$" | "writeWindows">;
  /** Whose replica it is; null for the guest. */
  userId: string | null;
  onApplied: (applied: Applied) => void;
  /** An answer came, but not of our server's shape. */
  onStranger: () => void;
  /**
   * Called before the pull that follows a new history, with the ids of all that is here; what it returns, after it,
   * with the ids that did not come again. It takes out those that are there after all.
   */
  onNewHistory?: (had: Ids) => Promise<(lost: Ids) => Promise<Result<null>>>;
}

type Ids = Record<CacheName, Set<string>>;

/** Whether anything changed. */
export async function pullFeed(deps: PullDeps): Promise<Result<{ changed: boolean }>> {
  let state = await deps.device.readSync();
  if (state === null) return pullAfresh(deps, false);
  let changed = false;
  for (;;) {
    const page = await pullPage(deps, state);
    if (!page.success) return page;
    const { epoch, checkpoint, more, reset, changes } = page.value;
    if (reset || epoch !== state.epoch) return pullAfresh(deps, true);
    const applied = await applyChanges(deps.replica, changes);
    changed = changed || applied.changed;
    if (applied.changed) deps.onApplied(applied);
    if (checkpoint !== state.checkpoint) {
      state = { epoch, checkpoint };
      await deps.device.writeSync(state);
    }
    if (!more) return ok({ changed });
  }
}

/**
 * What everybody may see, while the server takes this person for nobody: from `from` on, without moving the
 * checkpoint, so that the private changes of that time come with the next pull of one's own. Null where it cannot go on.
 */
export async function pullPublic(
  deps: PullDeps,
  from: SyncState,
): Promise<{ changed: boolean; reached: SyncState } | null> {
  let changed = false;
  for (let state = from; ; ) {
    const page = await pullPage(deps, state, true);
    if (!page.success || page.value.reset || page.value.epoch !== state.epoch) return null;
    const applied = await applyChanges(deps.replica, page.value.changes);
    changed = changed || applied.changed;
    if (applied.changed) deps.onApplied(applied);
    state = { epoch: state.epoch, checkpoint: page.value.checkpoint };
    if (!page.value.more) return { changed, reached: state };
  }
}

async function pullPage(deps: PullDeps, state: SyncState, anonymous = false) {
  const answer = await deps.remote.request("/api/sync", {
    query: { since: state.checkpoint, limit: FEED_PAGE, epoch: state.epoch },
    anonymous,
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const page = parsePage(answer.body);
  if (page === null) {
    deps.onStranger();
    return failed("network");
  }
  return ok(page);
}

/** Collections of which a signed-in user has every row that he may see, but for messages. */
const OWN_LISTS: CacheName[] = ["likes", "follows", "blocks", "conversations"];

/**
 * The first pull, and the one after the server's history changed: the head first, then what is newest and
 * what is one's own; what changes meanwhile comes with the feed. Rows that the server no longer has go at the
 * very end, so that the screen never empties.
 */
async function pullAfresh(
  deps: PullDeps,
  newHistory: boolean,
): Promise<Result<{ changed: boolean }>> {
  const answer = await deps.remote.request("/api/sync", { query: { since: "head" } });
  if (answer.kind !== "accepted") return toFailure(answer);
  const head = parsePosition(answer.body);
  if (head === null) {
    deps.onStranger();
    return failed("network");
  }
  const stale = await readIds(deps.replica);
  const offerAgain = newHistory ? await deps.onNewHistory?.(stale) : undefined;
  if (newHistory) await deps.device.writeWindows(new Map());
  const take = (name: CacheName) => async (records: RawRecord[]) => {
    const known = records.filter((record) => stale[name].has(textOf(record, "id")));
    for (const record of known) stale[name].delete(textOf(record, "id"));
    // Another history numbers its rows anew: what is told now is newer whatever its number.
    if (newHistory) await forgetSeq(deps.replica, name, known);
    await writeRecords(deps.replica, name, records);
  };
  const pulled = await pullEverything(deps, take);
  if (!pulled.success) return pulled;
  const offered = (await offerAgain?.(stale)) ?? ok(null);
  if (!offered.success) return offered;
  const gone = newHistory ? stale : await goneSince(deps, stale);
  for (const [name, ids] of Object.entries(gone)) {
    await removeRows(deps.replica, name as CacheName, [...ids]);
  }
  await deps.device.writeSync(head);
  deps.onApplied({ changedMedia: [], deletedMedia: [], goneFiles: [], removed: [], changed: true });
  const followed = await pullFeed(deps);
  return followed.success ? ok({ changed: true }) : followed;
}

/**
 * What an earlier first pull or a wipe that was cut off left here, and a whole list no longer names: its tombstone may
 * lie before the head, where the feed will never tell of it. What lies deeper than the lists stays.
 */
async function goneSince(
  { replica, device, userId }: PullDeps,
  stale: Record<CacheName, Set<string>>,
): Promise<Partial<Record<CacheName, Iterable<string>>>> {
  const deepest = deepestKey(device.windows$.value, { filter: "all" });
  const rows = await replica.media.findByIds([...stale.media]).exec();
  const media = [...rows.values()].filter((row) => deepest === null || row.sortKey < deepest);
  const own = userId === null ? [] : OWN_LISTS.map((name) => [name, stale[name]] as const);
  return { ...Object.fromEntries(own), media: media.map((row) => row.id) };
}

async function pullEverything(
  deps: PullDeps,
  take: (name: CacheName) => (records: RawRecord[]) => Promise<void>,
): Promise<Result<null>> {
  const { remote, userId } = deps;
  const newest = await pullNewestMedia(remote, { filter: "all" }, take("media"));
  if (!newest.success) return newest;
  await setWindow(deps.device, { filter: "all" }, newest.value);
  const settings = await pullAll(remote, "settings", take("settings"));
  if (!settings.success || userId === null) return settings;
  const own = await pullNewestMedia(remote, { filter: "all", userId }, take("media"));
  if (!own.success) return own;
  await setWindow(deps.device, { filter: "all", userId }, own.value);
  for (const name of OWN_LISTS) {
    const list = await pullAll(remote, name, take(name));
    if (!list.success) return list;
  }
  return ok(null);
}

async function readIds(replica: Replica): Promise<Ids> {
  const names: CacheName[] = [
    ...OWN_LISTS,
    "media",
    "profiles",
    "comments",
    "messages",
    "settings",
  ];
  const sets = names.map(async (name) => {
    const rows = await (replica[name] as unknown as RxCollection<ReplicaRow>).find().exec();
    return [name, new Set(rows.map((row) => row.id))] as const;
  });
  return Object.fromEntries(await Promise.all(sets)) as Ids;
}

async function forgetSeq(replica: Replica, name: CacheName, records: RawRecord[]): Promise<void> {
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const known = await collection.findByIds(records.map((record) => textOf(record, "id"))).exec();
  await Promise.all([...known.values()].map((doc) => doc.incrementalPatch({ seq: -1 })));
}
