/** The parts of a scope and how they are joined: the queue's streams, the sender, the pull. */
import {
  type BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  shareReplay,
  tap,
} from "rxjs";
import type { ErrorCode } from "@/domain/error-codes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";
import type { Cell } from "@/lib/cell";
import type { ClientEvent, Connection } from "./client-api";
import type { ClientDeps } from "./client-deps";
import { makePull } from "./make-pull";
import { createSender, type Sender } from "./outbox/create-sender";
import { type Overlay, type OverlayContext, readOverlay } from "./outbox/read-overlay";
import { keptOf, queueOf } from "./outbox/read-queue";
import { sendIntent } from "./outbox/send-intent";
import type { Unwritten } from "./outbox/unwritten";
import { fromCell } from "./reads/from-cell";
import type { AuthCore } from "./remote/create-auth";
import type { Remote } from "./remote/create-remote";
import type { DeviceStore } from "./replica/device-store";
import type { Replica } from "./replica/open-replica";
import type { OutboxRow } from "./schema/outbox";
import type { StorageState } from "./storage-api";
import { createRealtime } from "./sync/create-realtime";
import { createSyncLoop, type SyncLoop } from "./sync/create-sync-loop";
import type { Pace } from "./sync/pace-pulls";
import { keepSentMedia, keepSentPhoto } from "./uploads/keep-sent-media";

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
