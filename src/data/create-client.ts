/** Makes the client: the one entry for screens, tests and importers (architecture, "Data contract"). */
import { BehaviorSubject, combineLatest, filter, firstValueFrom, map, of, switchMap } from "rxjs";
import { failed, ok } from "@/domain/result";
import { createCell } from "@/lib/cell";
import { createFreshness } from "@/lib/freshness";
import { loadWhenUsed } from "@/lib/load-when-used";
import { createSerialQueue } from "@/lib/serial-queue";
import { createAuth } from "./account/auth";
import { createChatWrites } from "./chat/intents";
import type { Client, ClientOutbox, ClientStorageInfo, ExportData } from "./client";
import { loadData } from "./data-loader";
import type { ClientDeps } from "./engine/context";
import { createLive } from "./engine/live";
import { dropIntents, pauseIntent } from "./engine/outbox";
import type { OutboxRow } from "./engine/outbox-row";
import { outboxView, watchSubjects } from "./engine/outbox-view";
import { createRemote } from "./engine/remote";
import { clearCaches, readUsage } from "./engine/room";
import { openScope, type Scope, type Shared } from "./engine/scope";
import { finishDiscards, markDiscarded, unmarkDiscarded } from "./engine/store";
import { createWrites } from "./media/intents";
import { createReads } from "./reads";
import { createServiceReads } from "./service-reads";
import { createServiceWrites } from "./service-writes";
import type { ClientEvent, Connection, OutboxView, StorageState } from "./shapes";

export function createClient(deps: ClientDeps): Client {
  const shared = createShared(deps);
  const { auth, remote } = shared;
  const scopes = createScopes(shared);
  const unlisten = deps.onSessionChange?.(() => void auth.check());
  shared.onEvent((event) => {
    if (event.type === "suspended") void scopes.leave("keep");
  });
  const unwatch = auth.session.subscribe(() => void scopes.follow());
  void scopes.follow();
  const address = (path: string) => (path.startsWith("/") ? remote.address(path) : path);
  const open = { shared, scope: scopes.open };
  const writes = createWrites(open);
  return {
    auth: {
      session: auth.session,
      signIn: auth.signIn,
      signUp: auth.signUp,
      refresh: auth.refresh,
      isUsernameTaken: auth.isUsernameTaken,
      check: auth.check,
      ...auth.account,
      async deleteAccount(password) {
        const deleted = await auth.account.deleteAccount(password);
        if (deleted.success) await scopes.leave("discard");
        return deleted;
      },
      async signOut(queue) {
        await scopes.leave(queue);
        return ok(null);
      },
    },
    reads: createReads({ ...open, scope$: scopes.scope$, address }),
    writes,
    service: {
      ...createServiceReads({ ...open, address, asked: createFreshness(deps.now) }),
      ...createServiceWrites(open, writes),
      ...createChatWrites(open),
      loadData: (key, on401 = "throw") =>
        loadData({ fetch: deps.fetch, address, token: remote.token }, key, { on401 }),
    },
    admin: loadWhenUsed(
      async () => {
        const { createAdmin } = await import("./admin/create-admin");
        return createAdmin({ remote, refresh: auth.refresh, now: deps.now });
      },
      (error) => {
        shared.log("The panel's part could not be loaded", error);
        return failed("network");
      },
    ),
    outbox: createOutbox(shared, scopes, address),
    connection: shared.connection,
    storage: storageOf(shared, scopes),
    exportData: exportOf(shared),
    async sync() {
      const result = await (await scopes.open()).loop.pull();
      return result.success ? ok(null) : result;
    },
    onEvent: shared.onEvent,
    async close() {
      unlisten?.();
      unwatch();
      await scopes.close();
      remote.close();
    },
  };
}

function storageOf({ deps, storage }: Shared, { open }: Scopes): ClientStorageInfo {
  return {
    state: storage,
    usage: async () => readUsage({ deps, replica: (await open()).replica }),
    async clear() {
      const { replica, device, userId } = await open();
      await clearCaches({ deps, replica, device, userId });
    },
  };
}

const exportOf =
  ({ deps, remote, auth }: Shared): ExportData =>
  async (options) => {
    const session = auth.session.getSnapshot();
    if (session.state !== "signed-in") return failed("unauthenticated");
    const { exportData } = await import("./export/export-data");
    return exportData({ ...deps, remote, userId: session.user.id }, options);
  };

function createShared(
  deps: ClientDeps,
): Shared & { onEvent: (listener: (event: ClientEvent) => void) => () => void } {
  const connection = createCell<Connection>("unknown");
  const remote = createRemote({
    baseUrl: deps.baseUrl,
    fetch: deps.fetch,
    onAnswer: (ours) => connection.set(ours ? "online" : "offline"),
  });
  const storage = createCell<StorageState>("unknown");
  const listeners = new Set<(event: ClientEvent) => void>();
  const emit = (event: ClientEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const endSuspended = () => {
    if (auth.session.getSnapshot().state === "signed-in") emit({ type: "suspended" });
  };
  const auth = createAuth(remote, deps.storage.local, endSuspended);
  return {
    deps,
    remote,
    connection,
    storage,
    auth,
    emit,
    endSuspended,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    log: deps.log ?? (() => {}),
  };
}

interface Scopes {
  scope$: BehaviorSubject<Scope | null>;
  /** The open scope; waits while one is being opened. */
  open(): Promise<Scope>;
  /** Opens what belongs to whoever is signed in now. */
  follow(): Promise<void>;
  leave(queue: "keep" | "discard"): Promise<void>;
  close(): Promise<void>;
}

function createScopes(shared: Shared): Scopes {
  const { auth, deps, log } = shared;
  const inTurn = createSerialQueue();
  const scope$ = new BehaviorSubject<Scope | null>(null);
  let closed = false;
  const wanted = (): string | null => {
    const session = auth.session.getSnapshot();
    return session.state === "signed-in" ? session.user.id : null;
  };
  const change = async () => {
    const userId = wanted();
    const current = scope$.value;
    if (closed) return;
    if (current !== null && current.userId === userId) {
      // The same person with a fresh token: what waited for it goes on.
      void current.sender.wake();
      void current.loop.pull().then(current.loop.probe);
      return;
    }
    scope$.next(null);
    // While somebody is signed in nothing would tell the guest's replica what was deleted.
    if (current?.userId === null) await current.wipe("keep");
    else await current?.close();
    await finishDiscards(deps.storage).catch((error) =>
      log("What was discarded could not be deleted yet", error),
    );
    scope$.next(await openScope(shared, userId));
  };
  const follow = () =>
    inTurn(change).catch((error) => log("The databases could not be opened", error));
  return {
    scope$,
    follow,
    // Right after a sign-in the one before is still there: it is nobody's any more.
    open: () =>
      firstValueFrom(
        scope$.pipe(filter((scope) => scope !== null && scope.userId === wanted())),
      ) as Promise<Scope>,
    leave: (queue) => {
      const userId = wanted();
      // The page may be closed at any moment from here on.
      if (queue === "discard" && userId !== null) markDiscarded(deps.storage.local, userId);
      // Before anything is deleted: nothing more may be asked in this person's name.
      const leaving = inTurn(async () => {
        const current = scope$.value;
        scope$.next(null);
        await current?.wipe(queue);
        if (queue === "discard" && userId !== null) unmarkDiscarded(deps.storage.local, userId);
        await deps.dropMedia?.("private");
      });
      auth.forget();
      return leaving.then(follow);
    },
    async close() {
      closed = true;
      await inTurn(async () => {
        const current = scope$.value;
        scope$.next(null);
        await current?.close();
      });
    },
  };
}

const EMPTY: OutboxView = {
  ready: false,
  failed: false,
  items: [],
  waiting: 0,
  refused: 0,
  bytes: 0,
};
const BROKEN: OutboxView = { ...EMPTY, failed: true };

function createOutbox(
  shared: Shared,
  { scope$, open }: Scopes,
  address: (path: string) => string,
): ClientOutbox {
  const view$ = scope$.pipe(
    switchMap((scope) =>
      scope === null
        ? of(EMPTY)
        : combineLatest([
            scope.rows$,
            scope.context$,
            scope.blobUrls.urls$,
            watchSubjects(scope, address),
          ]).pipe(
            map(([rows, context, urls, subjects]) => {
              const blobUrl = (key: string) => urls.get(key) ?? "";
              return outboxView(rows, { context, userId: scope.userId ?? "", subjects, blobUrl });
            }),
          ),
    ),
  );
  const live = createLive(view$, EMPTY, BROKEN, { delay: shared.deps.delay, log: shared.log });
  return {
    watch: () => live,
    retry: async (intentId) => (await open()).sender.retry(intentId),
    pause: async (intentId) => pauseIntent((await open()).replica, intentId),
    resume: async (intentId) => (await open()).sender.retry(intentId),
    async discard(intentId) {
      const { replica, device, sender } = await open();
      const doc = await replica.outbox.findOne(intentId).exec();
      if (doc === null) return;
      sender.cancel(intentId, "discarded");
      const row = doc.toJSON() as OutboxRow;
      await dropIntents(replica, device, [row]);
      // What was queued about a medium that will never be there goes with it.
      if (row.kind !== "media.create") return;
      const behind = await replica.outbox.find({ selector: { lane: row.lane } }).exec();
      await dropIntents(
        replica,
        device,
        behind.map((other) => other.toJSON() as OutboxRow),
      );
    },
    drain: async () => (await open()).sender.drain(),
  };
}
