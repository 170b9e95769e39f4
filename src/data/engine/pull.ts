/**
 * One pull: brings the replica up to the feed's head. A page's rows are written before its checkpoint, so a
 * crash between the two applies the page again, which changes nothing. No failure ever removes a row (law 4).
 */

import type { RxCollection } from "rxdb";
import { evictMedia, setWindow } from "@/data/media/held";
import { PAGE_SIZE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { toFailure } from "./answers";
import { type Applied, applyChanges, writeRecords } from "./apply";
import { type DeviceStore, isQuotaError, type SyncState } from "./device-store";
import { bringBack, keepIntents } from "./keep";
import {
  parsePage,
  parsePosition,
  pullAll,
  pullIds,
  pullMediaList,
  pullNewestMedia,
  pullOne,
} from "./lists";
import { readRows } from "./outbox";
import { beginOffer } from "./recover";
import type { Remote } from "./remote";
import { keepRoom, makeRoom, readStays } from "./room";
import { type RawRecord, type ReplicaRow, textOf } from "./rows";
import type { ScopeBase, Shared } from "./scope";
import { CACHE_NAMES, type CacheName, type Replica } from "./store";

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

/**
 * What a pull from nothing brings: the newest media, every row of one's own, and those of the rest that were here
 * already. What of that the server still has is taken; what it does not name is left in `stale`.
 */

export type Ids = Record<CacheName, Set<string>>;

export interface Everything {
  take: (name: CacheName) => (records: RawRecord[]) => Promise<void>;
  /** Ids of what is here and was not named yet; `take` takes out what comes. */
  stale: Ids;
}

interface EverythingDeps {
  remote: Remote;
  device: Pick<DeviceStore, "windows$" | "writeWindows">;
  /** Null for the guest. */
  userId: string | null;
}

/** Collections of which a signed-in user has every row that he may see. */
const OWN_LISTS: CacheName[] = ["likes", "follows", "blocks", "conversations"];
/** Of these the device has what was shown: the server is asked for each row by its id. */
const PARTIAL_LISTS: CacheName[] = ["media", "profiles", "comments", "messages"];

export async function pullEverything(
  deps: EverythingDeps,
  everything: Everything,
): Promise<Result<null>> {
  const { remote, userId } = deps;
  const { take } = everything;
  const newest = await pullNewestMedia(remote, { filter: "all" }, take("media"));
  if (!newest.success) return newest;
  await setWindow(deps.device, { filter: "all" }, newest.value);
  const settings = await pullAll(remote, "settings", take("settings"));
  if (!settings.success) return settings;
  const own = userId === null ? ok(null) : await pullOwn(deps, userId, take);
  return own.success ? pullKnown(remote, everything) : own;
}

async function pullOwn(
  { remote, device }: EverythingDeps,
  userId: string,
  take: Everything["take"],
): Promise<Result<null>> {
  const own = await pullNewestMedia(remote, { filter: "all", userId }, take("media"));
  if (!own.success) return own;
  await setWindow(device, { filter: "all", userId }, own.value);
  for (const name of OWN_LISTS) {
    const list = await pullAll(remote, name, take(name));
    if (!list.success) return list;
  }
  return ok(null);
}

/**
 * An earlier first pull that was cut off, or another history, left rows whose tombstones the feed will never tell of.
 */
async function pullKnown(remote: Remote, { take, stale }: Everything): Promise<Result<null>> {
  for (const name of PARTIAL_LISTS) {
    const known = await pullIds(remote, name, [...stale[name]], take(name));
    if (!known.success) return known;
  }
  return ok(null);
}

/** Ids of all that is here. */
export async function readIds(replica: Replica): Promise<Ids> {
  const sets = CACHE_NAMES.map(async (name) => {
    const rows = await (replica[name] as unknown as RxCollection<ReplicaRow>).find().exec();
    return [name, new Set(rows.map((row) => row.id))] as const;
  });
  return Object.fromEntries(await Promise.all(sets)) as Ids;
}

/** Another history numbers its rows anew: what it tells is newer whatever its number. */
export async function forgetSeq(replica: Replica, name: CacheName, ids: string[]): Promise<void> {
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const known = await collection.findByIds(ids).exec();
  await Promise.all([...known.values()].map((doc) => doc.incrementalPatch({ seq: -1 })));
}

/** One pull of a scope, with what has to be done before and after it: acknowledged intents, room on the device. */

type Pull = () => Promise<Result<{ changed: boolean }>>;

export function makePull(shared: Shared, base: ScopeBase): Pull {
  const { deps, remote, auth, connection, log } = shared;
  const { replica, device, userId } = base;
  const room = { deps, replica, device, userId };
  /** Rows that went since the last pull that came to its end. */
  const removed = new Set<string>();
  /** What stood before a new history counts as acknowledged since: one more pull takes it out of the overlay. */
  let isAnew = false;
  const ask = (name: CacheName, id: string) => pullOne(remote, replica, name, id);
  const pulling: PullDeps = {
    remote,
    replica,
    device,
    userId,
    onApplied(applied) {
      for (const id of applied.removed) removed.add(id);
      announce(shared, applied);
    },
    onRights: auth.noteRights,
    onStranger: () => connection.set("offline"),
    onNewHistory: (had) => {
      isAnew = true;
      const askAnew = async (name: CacheName, id: string) => {
        await forgetSeq(replica, name, [id]);
        return ask(name, id);
      };
      const offering = { replica, ask: askAnew, userId, random: deps.random, now: deps.now };
      return beginOffer(offering, had);
    },
  };
  /** How far the public part has come while a sign-in is needed. */
  let publicAt: SyncState | null = null;

  const pullAsGuest: Pull = async () => {
    const from = publicAt ?? (await device.readSync());
    const pulled = from === null ? null : await pullPublic(pulling, from);
    if (pulled === null) return failed("unauthenticated");
    publicAt = pulled.reached;
    return ok({ changed: pulled.changed });
  };
  const pull: Pull = async () => {
    const session = auth.session.getSnapshot();
    if (session.state === "signed-in" && session.needsLogin) return pullAsGuest();
    publicAt = null;
    const acked = await readRows(replica, "acked");
    const result = await pullFeed(pulling);
    if (!result.success && result.error === "suspended") shared.endSuspended();
    if (!result.success) return result;
    const settled = await bringBack({ replica, ask }, acked);
    await keepIntents({ replica, device }, { acked: settled, removed }, deps.now());
    removed.clear();
    await evictMedia(replica, device, () => readStays(room));
    await keepRoom(room);
    if (!isAnew) return result;
    isAnew = false;
    const again = await pull();
    return again.success ? ok({ changed: true }) : again;
  };
  const pullWithRoom: Pull = async () => {
    try {
      return await pull();
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      log("The device is full: what can be had again goes", error);
      await makeRoom(room);
      return pull();
    }
  };
  return () =>
    deps.locks ? deps.locks.request(`${replica.name}-pull`, pullWithRoom) : pullWithRoom();
}

function announce(shared: Shared, { changedMedia, deletedMedia, goneFiles }: Applied): void {
  for (const mediaId of changedMedia) shared.emit({ type: "mediaUpdated", mediaId });
  for (const { id } of deletedMedia) shared.emit({ type: "media-deleted", mediaId: id });
  if (goneFiles.length === 0) return;
  void shared.deps
    .dropMedia?.(goneFiles)
    .catch((error) => shared.log("Ignoring that a deleted file could not be dropped", error));
}
