/**
 * Everything that belongs to one user (or to the guest) on this device while it is open: replica, outbox,
 * pull and sender. A scope never sees another's rows, and nothing of it runs after `close`.
 */
import { BehaviorSubject, distinctUntilChanged, map, type Observable } from "rxjs";
import type { Sender } from "./outbox/create-sender";
import { parseIntent } from "./outbox/intents";
import { dropKept } from "./outbox/keep-intents";
import { blobKeys } from "./outbox/send-intent";
import { createUnwritten } from "./outbox/unwritten";
import { carryOver } from "./replica/carry-over";
import { isQuotaError, openDeviceStore } from "./replica/device-store";
import { createShownMarks } from "./replica/mark-shown";
import { openMemoryDevice } from "./replica/memory-device";
import {
  databaseName,
  deleteOldCaches,
  hasCaches,
  openMemoryReplica,
  openReplica,
  wipeReplica,
} from "./replica/open-replica";
import { NewerStorage, refuseNewer } from "./replica/refuse-newer";
import type { OutboxRow } from "./schema/outbox";
import {
  follow,
  holdFiles,
  lead,
  makeLoop,
  makeSender,
  type PullStatus,
  type QueueStreams,
  type ScopeBase,
  type SenderWiring,
  type Shared,
  wakeOnChanges,
  watchQueue,
} from "./scope-parts";
import type { StorageState } from "./storage-api";
import type { SyncLoop } from "./sync/create-sync-loop";
import { createPace } from "./sync/pace-pulls";
import { type BlobUrls, createBlobUrls } from "./uploads/blob-urls";
import { sweepUnclaimed } from "./uploads/sweep-unclaimed";

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
