/**
 * Everything that belongs to one user (or to the guest) on this device while it is open: replica, outbox,
 * pull and sender. A scope never sees another's rows, and nothing of it runs after `close`.
 */
import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  shareReplay,
  tap,
} from "rxjs";
import type { AuthCore } from "@/data/account/auth";
import { keepSentMedia, keepSentPhoto } from "@/data/files/send";
import { createShownMarks } from "@/data/media/held";
import type { ClientEvent, Connection, StorageState } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";
import type { Cell } from "@/lib/cell";
import { type BlobUrls, createBlobUrls } from "./blob-urls";
import type { ClientDeps } from "./context";
import { type DeviceStore, isQuotaError, openDeviceStore, openMemoryDevice } from "./device-store";
import { createSender, type Sender } from "./drain";
import { blobKeys, parseIntent, sendIntent } from "./intents";
import { dropKept } from "./keep";
import { fromCell } from "./live";
import { createUnwritten, keptOf, queueOf, type Unwritten } from "./outbox";
import type { OutboxRow } from "./outbox-row";
import { type Overlay, type OverlayContext, readOverlay } from "./overlay";
import { makePull } from "./pull";
import { createRealtime } from "./realtime";
import type { Remote } from "./remote";
import { sweepUnclaimed } from "./room";
import {
  databaseName,
  deleteOldCaches,
  hasCaches,
  openMemoryReplica,
  openReplica,
  type Replica,
  wipeReplica,
} from "./store";
import { createPace, createSyncLoop, type Pace, type SyncLoop } from "./sync-loop";
import { carryOver, NewerStorage, refuseNewer } from "./versions";

export interface Scope extends ScopeBase, QueueStreams {
  sender: Sender;
  loop: SyncLoop;
  blobUrls: BlobUrls;
  /** These media are on the screen. */
  shown: (ids: readonly string[]) => void;
  close(): Promise<void>;
  /** Closes, and deletes what the pull brought; with "discard", the queue too. */
  wipe(queue: "keep" | "discard"): Promise<void>;
}

export async function openScope(shared: Shared, userId: string | null): Promise<Scope> {
  const { deps } = shared;
  const { replica, device, multiInstance } = await openStores(shared, userId);
  const progress$ = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());
  const status$ = new BehaviorSubject<PullStatus>({
    filled: (await device.readSync()) !== null,
    failure: null,
  });
  const blobUrls = createBlobUrls(device, deps.objectUrls);
  const unwritten = createUnwritten();
  const streams = watchQueue(shared, { replica, unwritten }, progress$);
  const marks = createShownMarks({ device, now: deps.now, delay: deps.delay, log: shared.log });
  const base = { userId, replica, device, unwritten, blobUrls, status$, ...streams };

  const state = { leads: !multiInstance, closed: false };
  const { sender, loop } = makeMoving(shared, base, { state, progress$ });
  const stops = [
    follow(shared, streams.rows$, (rows) => showQueued(shared, blobUrls, rows)),
    follow(shared, waits(streams.rows$), (some) => some && deps.onQueued?.()),
    wakeOnChanges(replica, sender),
    shared.connection.subscribe(() => {
      const now = shared.connection.getSnapshot();
      if (now === "online") void sender.wake();
      if (now === "offline") loop.probe();
    }),
    holdFiles(shared, sender),
    deps.onWake?.(() => {
      void sender.drain();
      void loop.pull();
    }),
  ];
  // A tab that does not lead learns by one pull of its own where the server is.
  if (multiInstance) void loop.pull();
  void lead(replica, multiInstance, state, () => {
    loop.start();
    void sender.wake();
  });
  tidyUp(shared, { replica, device });

  const close = async () => {
    state.closed = true;
    for (const stop of stops) stop?.();
    await sender.close();
    await loop.close();
    blobUrls.close();
    marks.close();
  };
  return {
    ...base,
    shown: marks.shown,
    sender,
    loop,
    async close() {
      await close();
      device.close();
      await replica.database.close();
    },
    async wipe(queue) {
      await close();
      // First: rows without their checkpoint are pulled again, a checkpoint without its rows would hide them.
      await device.forgetSync();
      await dropKept({ replica, device });
      await wipeReplica(deps.storage, replica, queue === "discard");
      if (queue === "discard") await device.remove();
      else device.close();
    },
  };
}

/** What sends and what pulls: each asks the other to go on. */
function makeMoving(
  shared: Shared,
  base: ScopeBase,
  wiring: Pick<SenderWiring, "state" | "progress$">,
): { sender: Sender; loop: SyncLoop } {
  const pace = createPace({ isBusy: () => sender.isBusy(), delay: shared.deps.delay });
  const pull = () => void loop.pull();
  const sender: Sender = makeSender(shared, base, {
    ...wiring,
    onAcked: () => pace.ask(pull),
    onIdle: pace.idle,
  });
  const loop: SyncLoop = makeLoop(shared, base, { sender: () => sender, pace });
  return { sender, loop };
}

/** What earlier versions and crashes left behind goes, while the person already looks. */
function tidyUp({ deps, log }: Shared, { replica, device }: Pick<ScopeBase, "replica" | "device">) {
  void deleteOldCaches(deps.storage, replica).catch((error) =>
    log("Old caches could not be deleted", error),
  );
  void sweepUnclaimed({ replica, device, now: deps.now }).catch((error) =>
    log("Files without a row could not be looked for", error),
  );
}

/** Whether something waits to be sent, each time that this changes. */
const waits = (rows$: Observable<readonly OutboxRow[]>): Observable<boolean> =>
  rows$.pipe(
    map((rows) => rows.some((row) => row.state === "pending")),
    distinctUntilChanged(),
  );

function showQueued(shared: Shared, blobUrls: BlobUrls, rows: readonly OutboxRow[]): void {
  const intents = rows.map(parseIntent).filter((intent) => intent !== null);
  void blobUrls
    .show(intents.flatMap(blobKeys))
    .catch((error) => shared.log("A queued file could not be shown", error));
}

/** On the device, or where that fails in memory: a browser without storage still shows what is online. */
async function openStores(shared: Shared, userId: string | null) {
  const { storage, multiInstance = false } = shared.deps;
  try {
    await refuseNewer(storage, userId);
    const stores = await openWithRoom(shared, userId);
    shared.storage.set("persistent");
    return { ...stores, multiInstance };
  } catch (error) {
    shared.log("Going on without storage: the databases could not be opened", error);
    shared.storage.set(stateAfter(error));
    const replica = await openMemoryReplica(storage, userId);
    return { device: openMemoryDevice(), replica, multiInstance: false };
  }
}

function stateAfter(error: unknown): StorageState {
  if (error instanceof NewerStorage) return "newer";
  return isQuotaError(error) ? "full" : "memory";
}

/** A full device has storage: what can be had again goes, and it is opened once more. */
async function openWithRoom(shared: Shared, userId: string | null) {
  try {
    return await openOnDevice(shared, userId);
  } catch (error) {
    const { room } = shared.deps;
    if (!isQuotaError(error) || room === undefined) throw error;
    await room.emptyCaches();
    return openOnDevice(shared, userId);
  }
}

async function openOnDevice({ deps }: Shared, userId: string | null) {
  const { storage, multiInstance = false } = deps;
  const device = await openDeviceStore(storage, databaseName(storage, userId));
  try {
    if (!(await hasCaches(storage, userId))) await device.forgetSync();
    const replica = await openReplica(storage, userId, multiInstance);
    await carryOver(storage, replica);
    return { device, replica };
  } catch (error) {
    device.close();
    throw error;
  }
}

/** The parts of a scope and how they are joined: the queue's streams, the sender, the pull. */

/** What outlives a change of user. */
export interface Shared {
  deps: ClientDeps;
  remote: Remote;
  auth: AuthCore;
  connection: Cell<Connection>;
  storage: Cell<StorageState>;
  emit: (event: ClientEvent) => void;
  /** The server has suspended this account: it is signed out here, its queue sealed. */
  endSuspended: () => void;
  log: (message: string, error: unknown) => void;
}

/** How the replica came to be what it is: whether it was ever filled, and why the last pull failed. */
export interface PullStatus {
  filled: boolean;
  failure: ErrorCode | null;
}

/** What a scope's parts are made from. */
export interface ScopeBase {
  userId: string | null;
  replica: Replica;
  device: DeviceStore;
  unwritten: Unwritten;
  status$: BehaviorSubject<PullStatus>;
}

export interface QueueStreams {
  /** The outbox in the order of its places. */
  rows$: Observable<OutboxRow[]>;
  context$: Observable<OverlayContext>;
  overlay$: Observable<Overlay>;
}

/** Calls `begin` once this tab leads; at once where there are no others. */
export async function lead(
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

export function watchQueue(
  shared: Shared,
  { replica, unwritten }: Pick<ScopeBase, "replica" | "unwritten">,
  progress$: Observable<ReadonlyMap<string, number>>,
): QueueStreams {
  const rows$ = queueOf(replica.outbox).$.pipe(
    map((docs) => docs.map((doc) => doc.toJSON() as OutboxRow).sort((a, b) => a.place - b.place)),
    tap((rows) => unwritten.read(rows)),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
  const offline$ = fromCell(shared.connection).pipe(
    map((connection) => connection === "offline"),
    distinctUntilChanged(),
  );
  const needsLogin$ = fromCell(shared.auth.session).pipe(
    map((session) => session.state === "signed-in" && session.needsLogin),
    distinctUntilChanged(),
  );
  const context$ = combineLatest([offline$, needsLogin$, knownProgress$(replica, progress$)]).pipe(
    map(([offline, needsLogin, progress]) => ({ offline, needsLogin, progress })),
  );
  const shown$ = combineLatest([rows$, unwritten.changed$]).pipe(
    map(([rows]) => [...rows, ...unwritten.rows()]),
  );
  const overlay$ = combineLatest([shown$, context$]).pipe(
    map(([rows, context]) => readOverlay(rows, context)),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
  return { rows$, context$, overlay$ };
}

/** What this tab sends moves by the byte; what another tab sends, or sent before a restart, by the chunk. */
function knownProgress$(
  replica: Replica,
  progress$: Observable<ReadonlyMap<string, number>>,
): Observable<ReadonlyMap<string, number>> {
  return combineLatest([replica.uploads.find().$, progress$]).pipe(
    map(([docs, own]) => {
      const known = new Map(own);
      for (const { id, sentBytes, totalBytes } of docs) {
        const percent = Math.floor((UPLOAD_PROGRESS_CAP * sentBytes) / Math.max(1, totalBytes));
        known.set(id, Math.max(percent, own.get(id) ?? 0));
      }
      return known;
    }),
  );
}

export interface SenderWiring {
  state: { leads: boolean };
  progress$: BehaviorSubject<ReadonlyMap<string, number>>;
  onAcked: () => void;
  onIdle: () => void;
}

export function makeSender(shared: Shared, base: ScopeBase, wiring: SenderWiring): Sender {
  const { deps, remote, auth, connection, log } = shared;
  const { replica, device } = base;
  const onProgress = (intentId: string, percent: number) => {
    const { value } = wiring.progress$;
    if (value.get(intentId) !== percent) {
      wiring.progress$.next(new Map(value).set(intentId, percent));
    }
  };
  const onAnswer = (ours: boolean) => connection.set(ours ? "online" : "offline");
  const sending = {
    remote,
    replica,
    device,
    lighten: deps.lighten,
    httpStack: deps.uploadHttpStack,
    onAnswer,
    onProgress,
  };
  return createSender({
    replica,
    send: (intent, row, signal) => sendIntent(sending, intent, row, signal),
    look: (path) => remote.request(path),
    checkToken: () => checkToken(auth, base.userId),
    async onDone(intent, body) {
      // The name in the session may be another now.
      if (intent.kind === "profile.update") await auth.refresh();
      if (deps.keepMedia === undefined) return;
      const kept =
        intent.kind === "media.create"
          ? keepSentMedia(deps.keepMedia, device, intent.body, body)
          : intent.kind === "message.photo"
            ? keepSentPhoto(deps.keepMedia, device, intent.body, body)
            : null;
      // Without room for a copy of its own the file is there all the same: on the server.
      await kept?.catch((error) => log("Ignoring that a sent file could not be kept", error));
    },
    onAcked: wiring.onAcked,
    onIdle: wiring.onIdle,
    leads: () => wiring.state.leads,
    maySend: () =>
      wiring.state.leads && connection.getSnapshot() !== "offline" && mayAct(auth, base.userId),
    mayUpload: deps.uploads?.allowed,
    now: deps.now,
    random: deps.random,
    delay: deps.delay,
    log,
  });
}

/** Nothing is sent but as the user whose queue it is (law 5: nor shown under another). */
const mayAct = (auth: AuthCore, userId: string | null): boolean => {
  const session = auth.session.getSnapshot();
  if (session.state !== "signed-in") return userId === null;
  return session.user.id === userId && !session.needsLogin;
};

async function checkToken(
  auth: AuthCore,
  userId: string | null,
): Promise<"good" | "bad" | "unchecked"> {
  if (userId === null) return "good";
  const session = auth.session.getSnapshot();
  if (session.state !== "signed-in" || session.user.id !== userId) return "unchecked";
  const refreshed = await auth.refresh();
  if (refreshed.success) return "good";
  const after = auth.session.getSnapshot();
  return after.state === "signed-in" && after.needsLogin ? "bad" : "unchecked";
}

export function makeLoop(
  shared: Shared,
  base: ScopeBase,
  { sender, pace }: { sender: () => Sender; pace: Pace },
): SyncLoop {
  const { deps, remote, auth, log } = shared;
  const { userId, status$ } = base;
  let refreshed = userId === null;
  return createSyncLoop({
    pull: makePull(shared, base),
    onUnauthenticated: async () => (await checkToken(auth, userId)) === "good" && userId !== null,
    onPulled(failure) {
      status$.next({ filled: status$.value.filled || failure === null, failure });
      if (failure !== null) return;
      void sender().wake();
      // Once a start: a token that is used does not run out, and the server may have changed who one is.
      if (!refreshed) void auth.refresh();
      refreshed = true;
    },
    makeRealtime: (on) =>
      createRealtime({
        ...on,
        onHint: () => pace.ask(on.onHint),
        eventSource: deps.eventSource,
        remote,
        delay: deps.delay,
      }),
    random: deps.random,
    delay: deps.delay,
    log,
  });
}

/** Another tab may add, retry and discard; this one sends. */
export function wakeOnChanges(replica: Replica, sender: Sender): () => void {
  const subscription = replica.outbox.$.subscribe((event) => {
    const { state } = event.documentData as OutboxRow;
    if (event.operation === "DELETE") sender.cancel(event.documentId, "discarded");
    else if (state === "paused") sender.cancel(event.documentId, "paused");
    else if (state === "pending") void sender.wake();
  });
  // Each pull reads what is kept.
  subscription.add(keptOf(replica.outbox).$.subscribe());
  return () => subscription.unsubscribe();
}

/** Files wait while the connection is one they may not use. */
export function holdFiles({ deps: { uploads } }: Shared, sender: Sender): (() => void) | undefined {
  return uploads?.onChange(() => {
    if (uploads.allowed()) void sender.wake();
    else sender.holdFiles();
  });
}

export function follow<T>(
  { log }: Pick<Shared, "log">,
  source: Observable<T>,
  onValue: (value: T) => void,
): () => void {
  const error = (fault: unknown) => log("The queue could not be followed", fault);
  const subscription = source.subscribe({ next: onValue, error });
  return () => subscription.unsubscribe();
}
