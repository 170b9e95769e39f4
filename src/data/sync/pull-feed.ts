/**
 * One pull: brings the replica up to the feed's head. A page's rows are written before its checkpoint, so a
 * crash between the two applies the page again, which changes nothing. No failure ever removes a row (law 4).
 */
import type { Remote } from "@/data/remote/create-remote";
import { toFailure } from "@/data/remote/failures";
import type { DeviceStore, SyncState } from "@/data/replica/device-store";
import type { CacheName, Replica } from "@/data/replica/open-replica";
import { type RawRecord, textOf } from "@/data/schema/define-schema";
import { PAGE_SIZE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { type Applied, applyChanges, writeRecords } from "./apply-changes";
import { parsePage, parsePosition } from "./parse-page";
import { forgetSeq, type Ids, pullEverything, readIds } from "./pull-everything";
import { pullMediaList } from "./pull-lists";

/** As many as the server gives at once. */
const FEED_PAGE = 1000;

export interface PullDeps {
  remote: Remote;
  replica: Replica;
  device: Pick<
    DeviceStore,
    "readSync" | "writeSync" | "readHistory" | "writeHistory" | "windows$" | "writeWindows"
  >;
  /** Whose replica it is; null for the guest. */
  userId: string | null;
  onApplied: (applied: Applied) => void;
  /** The server says whether this person is an admin now. */
  onRights?: (isAdmin: boolean) => void;
  /** An answer came, but not of our server's shape. */
  onStranger: () => void;
  /**
   * Called before the pull that follows a new history, with the ids of all that is here; what it returns, after it,
   * with the ids that did not come again. It takes out those that are there after all.
   */
  onNewHistory?: (had: Ids) => Promise<(lost: Ids) => Promise<Result<null>>>;
}

/** Whether anything changed. */
export async function pullFeed(deps: PullDeps): Promise<Result<{ changed: boolean }>> {
  let state = await deps.device.readSync();
  if (state === null) return pullAfresh(deps, await deps.device.readHistory());
  let changed = false;
  for (let asked = pullPage(deps, state); ; ) {
    const page = await asked;
    if (!page.success) return page;
    const { epoch, checkpoint, more, reset, changes } = page.value;
    if (reset || epoch !== state.epoch) return pullAfresh(deps, state.epoch, true);
    // The next page is on its way while this one is stored.
    if (more) asked = pullPage(deps, { epoch, checkpoint });
    const applied = await applyChanges(deps.replica, changes);
    changed = changed || applied.changed;
    if (applied.changed) deps.onApplied(applied);
    state = await reach(deps, state, { epoch, checkpoint });
    if (!more) return ok({ changed });
  }
}

async function reach({ device }: PullDeps, from: SyncState, to: SyncState): Promise<SyncState> {
  if (to.checkpoint !== from.checkpoint) await device.writeSync(to);
  return to;
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
  if (page.isAdmin !== null) deps.onRights?.(page.isAdmin);
  return ok(page);
}

/**
 * The first pull, and the one after the server's history changed: the head first, then the lists and what else was
 * here; what changes meanwhile comes with the feed. Rows that the server no longer has go at the very end, so that the
 * screen never empties. `known` is the epoch that this device heard of before, whose acknowledged intents it may hold.
 */
async function pullAfresh(
  deps: PullDeps,
  known: string | null,
  reset = false,
): Promise<Result<{ changed: boolean }>> {
  const screen = showFirst(deps);
  const answer = await deps.remote.request("/api/sync", { query: { since: "head" } });
  await screen;
  if (answer.kind !== "accepted") return toFailure(answer);
  const head = parsePosition(answer.body);
  if (head === null) {
    deps.onStranger();
    return failed("network");
  }
  if (known === null) await deps.device.writeHistory(head.epoch);
  const newHistory = reset || (known !== null && known !== head.epoch);
  const stale = await readIds(deps.replica);
  const offerAgain = newHistory ? await deps.onNewHistory?.(stale) : undefined;
  if (newHistory) await deps.device.writeWindows(new Map());
  const take = (name: CacheName) => async (records: RawRecord[]) => {
    const here = records.map((record) => textOf(record, "id")).filter((id) => stale[name].has(id));
    for (const id of here) stale[name].delete(id);
    if (newHistory) await forgetSeq(deps.replica, name, here);
    await writeRecords(deps.replica, name, records);
  };
  const pulled = await pullEverything(deps, { take, stale });
  if (!pulled.success) return pulled;
  const offered = (await offerAgain?.(stale)) ?? ok(null);
  if (!offered.success) return offered;
  const gone = await removeStale(deps, head, stale);
  if (!gone.success) return gone;
  await deps.device.writeSync(head);
  deps.onApplied(gone.value);
  const followed = await pullFeed(deps);
  return followed.success ? ok({ changed: true }) : followed;
}

/**
 * Where nothing is here yet, the first screen's rows come beside the head, which nothing on it waits for. The lists name
 * them again: what became of one between the two questions is found out there.
 */
async function showFirst({ remote, replica }: PullDeps): Promise<void> {
  if ((await replica.media.count().exec()) > 0) return;
  const first = await pullMediaList(remote, { filter: "all", limit: PAGE_SIZE });
  if (first.success) await writeRecords(replica, "media", first.value);
}

/**
 * Removes what no list named. To a token that ended meanwhile the lists answered like to a guest, with nothing (platform
 * facts): the feed says so, and is asked first.
 */
async function removeStale(deps: PullDeps, head: SyncState, stale: Ids): Promise<Result<Applied>> {
  const deleted = Object.entries(stale).filter(([, ids]) => ids.size > 0);
  if (deleted.length > 0) {
    const page = await pullPage(deps, head);
    if (!page.success) return page;
    if (page.value.reset || page.value.epoch !== head.epoch) return failed("network");
  }
  const changes = deleted.map(([name, ids]) => [name, { documents: [], deleted: [...ids] }]);
  const applied = await applyChanges(deps.replica, Object.fromEntries(changes));
  // What is kept to be offered again outlives this: its loss is no word of the server's about it.
  return ok({ ...applied, removed: [], changed: true });
}
