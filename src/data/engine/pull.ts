/**
 * The pull: brings the replica up to the feed's head, with what has to be done before and after it.
 *
 *     round   acked rows are read → feed → they leave the overlay → evict → keep space
 *     feed    page by page from the checkpoint; a page's rows are written before its checkpoint:
 *             a crash between the two applies the page again, which changes nothing
 *     fresh   the first pull, and the one after the server's history changed: the head first, then
 *             lists and what else was here; what changes meanwhile comes with the feed
 *
 * No failure ever removes a row (law 4).
 */
import type { RxCollection } from "rxdb";
import type { Rights } from "@/data/shapes";
import { failed, ok, type Result } from "@/domain/result";
import { isQuotaError, isRecord, toFailure } from "./answers";
import { applyChanges, type Changes, writeRecords } from "./apply";
import type { ScopeStores, Shared } from "./context";
import type { DeviceStore, SyncState } from "./device-store";
import { keepIntents, settledRows } from "./keep";
import { pullAll, pullIds, pullOne } from "./lists";
import type { Applied, CacheName, Named, Nouns, Replica, RowId } from "./noun";
import { readRows } from "./outbox";
import { beginRecovery, type Ids } from "./recover";
import type { Remote } from "./remote";
import { freeSpace, keepSpace } from "./room";
import { type RawRecord, type ReplicaRow, textOf } from "./rows";

export type Pull = () => Promise<Result<{ changed: boolean }>>;

export function makePull(shared: Shared, base: ScopeStores): Pull {
  const { deps, remote, auth, connection, log } = shared;
  const { replica, device, userId } = base;
  const stores = { deps, replica, device, userId };
  /** Ids of rows that went since the last pull that came to its end. */
  const removed = new Set<string>();
  /**
   * A new history makes kept rows acked again, and queues again what was lost: how those end, only
   * one more pull can tell.
   */
  let isNewHistory = false;
  const ask = (row: RowId) => pullOne(remote, replica, row);
  const pulling: PullDeps = {
    ...stores,
    remote,
    onApplied(applied, isWord) {
      for (const id of isWord ? Object.values(applied.removed).flat() : []) removed.add(id);
      announce(shared, applied);
    },
    onRights: auth.noteRights,
    onStranger: () => connection.set("offline"),
    onNewHistory: (had) => {
      isNewHistory = true;
      const askAgain = async (row: RowId) => {
        await forgetSeq(replica, row.name, [row.id]);
        return ask(row);
      };
      const { now, random } = deps;
      return beginRecovery({ replica, ask: askAgain, userId, random, now }, had);
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
    if (isNewHistory) {
      isNewHistory = false;
      const again = await pull();
      return again.success ? ok({ changed: true }) : again;
    }
    const settled = await settledRows({ replica, ask }, acked);
    await keepIntents({ replica, device }, { settled, removed }, deps.now());
    removed.clear();
    await keepSpace(stores);
    return result;
  };
  const pullWithSpace: Pull = async () => {
    try {
      return await pull();
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      log("The device is full: what can be had again goes", error);
      await freeSpace(stores);
      return pull();
    }
  };
  return () =>
    deps.locks ? deps.locks.request(`${replica.name}-pull`, pullWithSpace) : pullWithSpace();
}

function announce(shared: Shared, { written, removed, goneFiles }: Applied): void {
  for (const { collections, events } of shared.nouns.list) {
    for (const name of Object.keys(collections) as CacheName[]) {
      const about = { name, written: written[name] ?? [], removed: removed[name] ?? [] };
      for (const event of events?.(about) ?? []) shared.emit(event);
    }
  }
  if (goneFiles.length === 0) return;
  void shared.deps
    .dropMedia?.(goneFiles)
    .catch((error) => shared.log("Ignoring that a deleted file could not be dropped", error));
}

const FEED_PAGE = 1000;

export interface PullDeps {
  remote: Remote;
  replica: Replica;
  device: Pick<
    DeviceStore,
    | "readSync"
    | "writeSync"
    | "readWipes"
    | "readHistory"
    | "writeHistory"
    | "windows$"
    | "changeWindows"
    | "readNamed"
    | "writeNamed"
  >;
  userId: string | null;
  /** `isWord`: the feed said that rows are gone; otherwise its lists just lacked them. */
  onApplied: (applied: Applied, isWord: boolean) => void;
  onRights?: (rights: Rights) => void;
  /** An answer came, but not of our server's shape. */
  onStranger: () => void;
  /**
   * Called before a pull after a new history with all ids here; its result, after it, with the ids
   * that did not return, of which it removes those that exist after all.
   */
  onNewHistory?: (had: Ids) => Promise<(lost: Ids) => Promise<Result<null>>>;
}

export async function pullFeed(deps: PullDeps): Promise<Result<{ changed: boolean }>> {
  const wipes = await deps.device.readWipes();
  let state = await deps.device.readSync();
  if (state === null) return pullFresh(deps, await deps.device.readHistory());
  const named = await nameWindow(deps);
  let changed = false;
  for (let asked = pullPage(deps, state, named); ; ) {
    const page = await asked;
    if (!page.success) return page;
    const { epoch, checkpoint, more, changes } = page.value;
    if (isOfAnother(page.value, state)) return pullFresh(deps, state.epoch, true);
    // The next page is on its way while this one is stored.
    if (more) asked = pullPage(deps, { epoch, checkpoint }, named);
    const settled = await named.settle();
    if (!settled.success) return settled;
    changed = (await storePage(deps, changes)) || changed;
    const reached: SyncState | null = await reach(deps, wipes, state, { epoch, checkpoint });
    if (reached === null) return failed("canceled");
    state = reached;
    if (!more) return ok({ changed });
  }
}

/** Whether the page belongs to another history, or the server cannot go on from where one is. */
const isOfAnother = (page: { epoch: string; reset: boolean }, { epoch }: SyncState): boolean =>
  page.reset || page.epoch !== epoch;

/** Answers whether it changed anything. */
async function storePage({ replica, onApplied }: PullDeps, changes: Changes): Promise<boolean> {
  const applied = await applyChanges(replica, changes);
  if (applied.changed) onApplied(applied, true);
  return applied.changed;
}

/** The windows of all nouns as one. */
async function nameWindow(deps: PullDeps): Promise<Named> {
  const { list } = deps.replica.nouns;
  const named = await Promise.all(list.map((noun) => noun.nameWindow?.(deps) ?? []));
  const windows = named.flat();
  let isSettled = false;
  return {
    query: Object.assign({}, ...windows.map(({ query }) => query)),
    async settle(rows) {
      for (const window of isSettled ? [] : windows) {
        const settled = await window.settle(rows);
        if (!settled.success) return settled;
      }
      isSettled = true;
      return ok(null);
    },
  };
}

/** Null where a sign-out has overtaken the pull. */
async function reach({ device }: PullDeps, wipes: number, from: SyncState, to: SyncState) {
  const isNew = to.checkpoint !== from.checkpoint;
  return isNew && !(await device.writeSync(to, wipes)) ? null : to;
}

/**
 * The public changes while the token is refused, or null. The checkpoint does not move, so the
 * user's next pull brings the private changes of that time.
 */
async function pullPublic(deps: PullDeps, from: SyncState) {
  const named = await nameWindow(deps);
  let changed = false;
  for (let state = from; ; ) {
    const page = await pullPage(deps, state, named, true);
    if (!page.success || isOfAnother(page.value, state)) return null;
    if (!(await named.settle()).success) return null;
    changed = (await storePage(deps, page.value.changes)) || changed;
    state = { epoch: state.epoch, checkpoint: page.value.checkpoint };
    if (!page.value.more) return { changed, reached: state };
  }
}

/**
 * A guest's page is asked for without a token: somebody who signs in at this moment must not have
 * rows of theirs stored for guests.
 */
async function pullPage(
  deps: PullDeps,
  state: SyncState,
  { query }: Pick<Named, "query">,
  anonymous = deps.userId === null,
) {
  const answer = await deps.remote.request("/api/sync", {
    query: { since: state.checkpoint, limit: FEED_PAGE, epoch: state.epoch, ...query },
    anonymous,
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const page = parsePage(deps.replica.nouns, answer.body);
  if (page === null) {
    deps.onStranger();
    return failed("network");
  }
  if (page.rights !== null) deps.onRights?.(page.rights);
  return ok(page);
}

function parsePosition(body: unknown): SyncState | null {
  if (!isRecord(body)) return null;
  const { epoch, checkpoint } = body;
  if (typeof epoch !== "string" || epoch === "" || typeof checkpoint !== "number") return null;
  return { epoch, checkpoint };
}

/** What is not of this shape is not our server's answer. */
function parsePage(nouns: Nouns, body: unknown) {
  const position = parsePosition(body);
  if (position === null || !isRecord(body) || !isRecord(body["changes"])) return null;
  const changes: Changes = {};
  for (const name of nouns.cacheNames) {
    const change = body["changes"][name];
    if (!isRecord(change)) continue;
    changes[name] = {
      documents: listOf(change["documents"]).filter(isRecord),
      deleted: listOf(change["deleted"]).filter((id) => typeof id === "string"),
    };
  }
  const { isAdmin, chatDisabled } = body;
  return {
    ...position,
    more: body["more"] === true,
    /** The server cannot continue from where the caller was. */
    reset: body["reset"] === true,
    /** Null for guests. */
    rights: typeof isAdmin === "boolean" ? { isAdmin, chatDisabled: chatDisabled === true } : null,
    changes,
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Rows that the server lacks go at the very end, so that the screen never empties. `known`: the
 * epoch that this device last heard of.
 */
async function pullFresh(deps: PullDeps, known: string | null, reset = false) {
  const wipes = await deps.device.readWipes();
  const screen = Promise.all(deps.replica.nouns.list.map((noun) => noun.pullScreen?.(deps)));
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
  const recover = newHistory ? await deps.onNewHistory?.(stale) : undefined;
  if (newHistory) await deps.device.changeWindows(() => new Map());
  const take = (name: CacheName) => async (records: RawRecord[]) => {
    const here = records.map((record) => textOf(record, "id")).filter((id) => stale[name].has(id));
    for (const id of here) stale[name].delete(id);
    if (newHistory) await forgetSeq(deps.replica, name, here);
    await writeRecords(deps.replica, name, records);
  };
  const pulled = await pullEverything(deps, take, stale);
  if (!pulled.success) return pulled;
  const recovered = (await recover?.(stale)) ?? ok(null);
  if (!recovered.success) return recovered;
  const gone = await removeStale(deps, head, stale);
  if (!gone.success) return gone;
  const settled = await (await nameWindow(deps)).settle("fresh");
  if (!settled.success) return settled;
  if (!(await deps.device.writeSync(head, wipes))) return failed("canceled");
  // What is kept for recovery outlives this.
  deps.onApplied(gone.value, false);
  const followed = await pullFeed(deps);
  return followed.success ? ok({ changed: true }) : followed;
}

/**
 * What nouns want first, then all collections held whole, then the other rows that were here: the
 * feed never tells of deletions before its head. Rows not named by the server stay in `stale`.
 */
async function pullEverything(
  deps: PullDeps,
  take: (name: CacheName) => (records: RawRecord[]) => Promise<void>,
  stale: Ids,
): Promise<Result<null>> {
  const { remote, replica } = deps;
  const { nouns } = replica;
  for (const noun of nouns.list) {
    const first = await noun.pullFirst?.({ ...deps, take });
    if (first?.success === false) return first;
  }
  const whole = await pullHeldWhole(deps, take);
  if (!whole.success) return whole;
  for (const name of nouns.cacheNames) {
    if (nouns.collection(name).holds !== "shown") continue;
    const known = await pullIds(remote, name, [...stale[name]], take(name));
    if (!known.success) return known;
  }
  return ok(null);
}

async function pullHeldWhole(
  { remote, replica, userId }: PullDeps,
  take: (name: CacheName) => (records: RawRecord[]) => Promise<void>,
): Promise<Result<null>> {
  const { nouns } = replica;
  for (const name of nouns.cacheNames) {
    const { holds } = nouns.collection(name);
    if (holds === "shown" || (holds === "own" && userId === null)) continue;
    const whole = await pullAll(remote, name, take(name));
    // A server of an earlier version has none of that name.
    if (!whole.success && whole.error !== "not_found") return whole;
  }
  return ok(null);
}

/**
 * Removes what no list named. Lists answer an expired token like a guest, with nothing, so the feed
 * is asked first (platform facts).
 */
async function removeStale(deps: PullDeps, head: SyncState, stale: Ids): Promise<Result<Applied>> {
  const deleted = Object.entries(stale).filter(([, ids]) => ids.size > 0);
  if (deleted.length > 0) {
    const page = await pullPage(deps, head, { query: {} });
    if (!page.success) return page;
    if (isOfAnother(page.value, head)) return failed("network");
  }
  const changes = deleted.map(([name, ids]) => [name, { documents: [], deleted: [...ids] }]);
  const applied = await applyChanges(deps.replica, Object.fromEntries(changes));
  return ok({ ...applied, changed: true });
}

type AnyCollection = RxCollection<ReplicaRow>;

export async function readIds(replica: Replica): Promise<Ids> {
  const sets = replica.nouns.cacheNames.map(async (name) => {
    const rows = await (replica[name] as unknown as AnyCollection).find().exec();
    return [name, new Set(rows.map((row) => row.id))] as const;
  });
  return Object.fromEntries(await Promise.all(sets)) as Ids;
}

/** Another history has its own numbers: its rows count as newer whatever their number. */
async function forgetSeq(replica: Replica, name: CacheName, ids: string[]): Promise<void> {
  const collection = replica[name] as unknown as AnyCollection;
  const known = await collection.findByIds(ids).exec();
  await Promise.all([...known.values()].map((doc) => doc.incrementalPatch({ seq: -1 })));
}
