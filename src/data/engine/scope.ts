/** One user's (or the guest's) open stores, drain and pull. Nothing of it runs after `close`. */
import { BehaviorSubject, distinctUntilChanged, map, type Observable } from "rxjs";
import type { StorageState } from "@/data/shapes";
import { createAhead } from "./ahead";
import { isQuotaError } from "./answers";
import type { Auth, PullStatus, Scope, ScopeStores, Shared } from "./context";
import {
  type BlobUrls,
  createBlobUrls,
  createShownMarks,
  openDeviceStore,
  openMemoryDevice,
} from "./device-store";
import { createDrain, type Drain } from "./drain";
import { takeUpTaps } from "./enqueue";
import { dropKept } from "./keep";
import type { Intent, Kind, Replica } from "./noun";
import { filesOf, keptOf, purgeRemoved } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import { watchQueue } from "./overlay";
import { makePull } from "./pull";
import { createRealtime } from "./realtime";
import { sweepUnclaimed } from "./room";
import {
  databaseName,
  deleteOldCaches,
  hasCaches,
  openMemoryReplica,
  openReplica,
  wipeReplica,
} from "./store";
import { createPace, createSyncLoop, type Pace, type SyncLoop } from "./sync-loop";
import { migrateQueue, NewerStorage, refuseNewer } from "./versions";

/** A token lives for a day; the server notes once an hour that this device is used. */
const REFRESH_MS = 3_600_000;

export async function openScope(shared: Shared, userId: string | null): Promise<Scope> {
  const { deps, log } = shared;
  const { replica, device, multiInstance } = await openStores(shared, userId);
  await takeUpTaps(shared, { replica, userId });
  const progress$ = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());
  const status$ = new BehaviorSubject<PullStatus>({
    filled: (await device.readSync()) !== null,
    failure: null,
  });
  const blobUrls = createBlobUrls(device, deps.objectUrls);
  const stores = { userId, replica, device, status$ };
  const streams = watchQueue(shared, stores, progress$);
  const marks = createShownMarks({ device, now: deps.now, delay: deps.delay, log });
  const state = { leads: !multiInstance, closed: false };
  const { drain, loop } = makeMoving(shared, stores, { state, progress$ });
  const stops = [
    follow(shared, streams.rows$, (rows) => showQueued(shared, blobUrls, rows)),
    follow(shared, hasUnsent(streams.rows$), (some) => deps.onQueue?.(some)),
    wakeOnChanges(replica, drain),
    shared.connection.subscribe(() => {
      const now = shared.connection.getSnapshot();
      if (now === "online") void drain.wake();
      if (now === "offline") loop.probe();
    }),
    holdFiles(shared, drain),
    deps.onWake?.(() => {
      void drain.drain();
      void loop.pull();
    }),
  ];
  // A tab that does not lead learns by one pull of its own where the server is.
  if (multiInstance) void loop.pull();
  const leading = lead(replica, multiInstance, state, () => {
    loop.start();
    void drain.wake();
  });
  if (deps.hasScreen !== false) tidyUp(shared, stores);
  const close = async () => {
    state.closed = true;
    for (const stop of stops) stop?.();
    await drain.close();
    await loop.close();
    blobUrls.close();
    marks.close();
    shared.pending.forget(userId);
  };
  return {
    ...stores,
    ...streams,
    leading,
    blobUrls,
    shown: marks.shown,
    drain,
    loop,
    async close() {
      await close();
      device.close();
      await replica.database.close();
    },
    async wipe(queue) {
      await close();
      // First: rows without their checkpoint are pulled again, but not the other way round.
      await device.forgetSync();
      await dropKept({ replica, device });
      await wipeReplica(deps.storage, replica, queue === "discard");
      if (queue === "discard") await device.remove();
      else device.close();
    },
  };
}

/** Calls `begin` once this tab leads; at once where there are no others. */
async function lead(
  replica: Replica,
  multiInstance: boolean,
  state: { leads: boolean; closed: boolean },
  begin: () => void,
): Promise<void> {
  if (multiInstance) await replica.database.waitForLeadership();
  if (state.closed) return;
  state.leads = true;
  begin();
}

interface Wiring {
  state: { leads: boolean; closed: boolean };
  progress$: BehaviorSubject<ReadonlyMap<string, number>>;
}

/** What sends and what pulls: each asks the other to go on. */
function makeMoving(shared: Shared, stores: ScopeStores, wiring: Wiring) {
  const pace = createPace({ isBusy: () => drain.isBusy(), delay: shared.deps.delay });
  const pull = () => void loop.pull();
  const drain: Drain = makeDrain(shared, stores, {
    ...wiring,
    on: { acked: () => pace.ask(pull), idle: pace.idle },
  });
  const { state } = wiring;
  const mayFetch = () => shared.deps.hasScreen !== false && state.leads && !state.closed;
  const ahead = createAhead(shared, stores, mayFetch);
  const loop: SyncLoop = makeLoop(shared, stores, { drain, pace, ahead });
  return { drain, loop };
}

function makeDrain(
  shared: Shared,
  { replica, device, userId }: ScopeStores,
  { state, progress$, on }: Wiring & { on: { acked: () => void; idle: () => void } },
): Drain {
  const { deps, remote, auth, connection, log } = shared;
  const sending = {
    remote,
    replica,
    device,
    compress: deps.compress,
    strip: deps.strip,
    checksum: deps.checksum,
    httpStack: deps.uploadHttpStack,
    onAnswer: (ours: boolean) => connection.set(ours ? "online" : "offline"),
  };
  const send = (intent: Intent, row: OutboxRow, signal: AbortSignal) => {
    const kind = replica.nouns.kindOf(intent);
    const request = kind.request?.(intent.body);
    if (request !== undefined) return remote.request(request.path, request);
    if (kind.send === undefined) throw new Error(`Nothing says how to send ${intent.kind}`);
    const onProgress = (percent: number) => {
      if (progress$.value.get(row.id) !== percent) {
        progress$.next(new Map(progress$.value).set(row.id, percent));
      }
    };
    const about = { intentId: row.id, createdAt: row.createdAt, signal, onProgress };
    return kind.send({ ...sending, ...about }, intent.body);
  };
  const onSent = async (kind: Kind, body: Intent["body"], record: unknown) => {
    // The server has it, whatever becomes of the device's copy.
    await kind
      .onSent?.({ device, keepMedia: deps.keepMedia, refresh: auth.refresh }, body, record)
      .catch((error) => log("Ignoring that a sent file could not be kept", error));
  };
  return createDrain({
    replica,
    server: {
      send,
      onSent,
      look: (path) => remote.request(path),
      token: remote.token,
      async checkToken(sentWith) {
        const token = await checkToken(auth, userId);
        return token === "good" && remote.token() !== sentWith ? "unchecked" : token;
      },
    },
    leads: () => state.leads,
    maySend: () => state.leads && connection.getSnapshot() !== "offline" && maySendAs(auth, userId),
    mayUpload: deps.uploads?.allowed,
    on,
    clock: deps,
    log,
  });
}

/** Nothing is sent but as the user whose queue it is (law 5: nor shown under another). */
function maySendAs(auth: Auth, userId: string | null): boolean {
  const session = auth.session.getSnapshot();
  if (session.state !== "signed-in") return userId === null;
  return session.user.id === userId && !session.needsLogin;
}

async function checkToken(auth: Auth, userId: string | null) {
  if (userId === null) return "good";
  const session = auth.session.getSnapshot();
  if (session.state !== "signed-in" || session.user.id !== userId) return "unchecked";
  const refreshed = await auth.refresh();
  if (refreshed.success) return "good";
  const after = auth.session.getSnapshot();
  return after.state === "signed-in" && after.needsLogin ? "bad" : "unchecked";
}

function makeLoop(
  shared: Shared,
  stores: ScopeStores,
  { drain, pace, ahead }: { drain: Drain; pace: Pace; ahead: () => Promise<void> },
): SyncLoop {
  const { deps, remote, auth, log } = shared;
  const { userId, status$ } = stores;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  return createSyncLoop({
    pull: makePull(shared, stores),
    onUnauthenticated: async () => (await checkToken(auth, userId)) === "good" && userId !== null,
    onPulled(failure) {
      status$.next({ filled: status$.value.filled || failure === null, failure });
      if (failure !== null) return;
      void drain.wake();
      void ahead();
      // A token that is used does not end, and the user's rights may have changed.
      if (userId === null || Math.abs(deps.now() - refreshedAt) < REFRESH_MS) return;
      refreshedAt = deps.now();
      void auth.refresh();
    },
    makeRealtime(on) {
      let within = 0;
      const pulls = {
        you: () => on.onHint("you", 0),
        everyone: () => on.onHint("everyone", within),
      };
      return createRealtime({
        ...on,
        onHint(hint, withinMs) {
          if (hint === "everyone") within = withinMs;
          pace.ask(pulls[hint]);
        },
        eventSource: deps.eventSource,
        remote,
        delay: deps.delay,
      });
    },
    random: deps.random,
    delay: deps.delay,
    log,
  });
}

/** Another tab may add, retry and discard; this one sends. */
function wakeOnChanges(replica: Replica, drain: Drain): () => void {
  const subscription = replica.outbox.$.subscribe((event) => {
    const { state } = event.documentData as OutboxRow;
    if (event.operation === "DELETE") drain.cancel(event.documentId, "discarded");
    else if (state === "paused") drain.cancel(event.documentId, "paused");
    else if (state === "pending") void drain.wake();
  });
  // Each pull reads what is kept.
  subscription.add(keptOf(replica.outbox).$.subscribe());
  return () => subscription.unsubscribe();
}

function holdFiles({ deps: { uploads } }: Shared, drain: Drain): (() => void) | undefined {
  return uploads?.onChange(() => {
    if (uploads.allowed()) void drain.wake();
    else drain.holdFiles();
  });
}

function follow<T>(
  { log }: Pick<Shared, "log">,
  source: Observable<T>,
  onValue: (value: T) => void,
): () => void {
  const error = (fault: unknown) => log("The queue could not be followed", fault);
  const subscription = source.subscribe({ next: onValue, error });
  return () => subscription.unsubscribe();
}

const hasUnsent = (rows$: Observable<readonly OutboxRow[]>): Observable<boolean> =>
  rows$.pipe(
    map((rows) => rows.some(({ state }) => state === "pending" || state === "sending")),
    distinctUntilChanged(),
  );

function showQueued(shared: Shared, blobUrls: BlobUrls, rows: readonly OutboxRow[]): void {
  void blobUrls
    .show(rows.flatMap((row) => filesOf(shared.nouns, row)))
    .catch((error) => shared.log("A queued file could not be shown", error));
}

/** What earlier versions and crashes left behind goes, while the person already looks. */
function tidyUp({ deps, log }: Shared, { replica, device }: ScopeStores) {
  const works = [
    deleteOldCaches(deps.storage, replica),
    purgeRemoved(replica),
    sweepUnclaimed({ replica, device, now: deps.now }),
  ];
  for (const work of works) {
    void work.catch((error) => log("What an earlier run left could not be tidied up", error));
  }
}

/** On the device, or in memory where that fails: online content is still shown then. */
async function openStores(shared: Shared, userId: string | null) {
  const { storage, multiInstance = false } = shared.deps;
  try {
    await refuseNewer(storage, userId);
    const stores = await openWithSpace(shared, userId);
    shared.storage.set("persistent");
    return { ...stores, multiInstance };
  } catch (error) {
    shared.log("Going on without storage: the databases could not be opened", error);
    shared.storage.set(stateAfter(error));
    const replica = await openMemoryReplica(shared.nouns, storage, userId);
    return { device: openMemoryDevice(), replica, multiInstance: false };
  }
}

function stateAfter(error: unknown): StorageState {
  if (error instanceof NewerStorage) return "newer";
  return isQuotaError(error) ? "full" : "memory";
}

/** A full device has storage: what can be had again goes, and it is opened once more. */
async function openWithSpace(shared: Shared, userId: string | null) {
  try {
    return await openOnDevice(shared, userId);
  } catch (error) {
    const { room } = shared.deps;
    if (!isQuotaError(error) || room === undefined) throw error;
    await room.emptyCaches();
    return openOnDevice(shared, userId);
  }
}

async function openOnDevice({ deps, nouns }: Shared, userId: string | null) {
  const { storage, multiInstance = false } = deps;
  const device = await openDeviceStore(storage, databaseName(storage, userId));
  try {
    if (!(await hasCaches(nouns, storage, userId))) await device.forgetSync();
    const replica = await openReplica(nouns, storage, userId, multiInstance);
    await migrateQueue(storage, replica);
    return { device, replica };
  } catch (error) {
    device.close();
    throw error;
  }
}
