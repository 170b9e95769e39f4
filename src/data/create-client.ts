/** Makes the client: the nouns, the engine and what lives as long as the page, joined. */
import { BehaviorSubject, filter, firstValueFrom, of, switchMap } from "rxjs";
import { failed, ok, type Result } from "@/domain/result";
import { loadWhenUsed } from "@/lib/load-when-used";
import { createSerialQueue } from "@/lib/serial-queue";
import { createChatWrites } from "./chat/intents";
import { createChatReads } from "./chat/views";
import { createCommentWrites } from "./comments/intents";
import { createCommentReads } from "./comments/views";
import type { Scope, Shared } from "./engine/context";
import type { ClientDeps } from "./engine/deps";
import { type Acts, createActs, tapNotes } from "./engine/enqueue";
import { createLive, createViews, type Views } from "./engine/live";
import { discardIntent, pauseIntent } from "./engine/outbox";
import type { OutboxRow } from "./engine/outbox-row";
import { watchOutbox } from "./engine/outbox-view";
import { clearCaches, readUsage } from "./engine/room";
import { openScope } from "./engine/scope";
import { finishDiscards, noteDiscard } from "./engine/store";
import type { ExportOptions } from "./export/export-data";
import { createMediaWrites } from "./media/intents";
import { createMediaReads } from "./media/views";
import { createNotificationReads, createNotificationWrites } from "./notifications";
import { createPeopleWrites } from "./people/intents";
import { createPeopleReads } from "./people/views";
import { createReportWrites } from "./reports";
import { createSaveWrites } from "./saves/intents";
import { createSaveReads } from "./saves/views";
import { createSearchReads } from "./search/search";
import { createSettingsReads, createSettingsWrites } from "./settings";
import type {
  Connection,
  Live,
  OutboxView,
  SessionState,
  StorageState,
  StorageUsage,
} from "./shapes";
import { type ClientShared, createShared } from "./shared";

export function createClient(deps: ClientDeps) {
  const shared = createShared(deps);
  const { remote } = shared;
  const { noteRights, forget, account, take, judgeToken, endOwnSession, ...auth } = shared.auth;
  const { session, refresh } = auth;
  const scopes = createScopes(shared);
  const unlisten = deps.onSessionChange?.(() => void auth.check());
  shared.onEvent((event) => {
    if (event.type === "suspended") void scopes.leave("keep");
  });
  const unwatch = auth.session.subscribe(() => void scopes.follow());
  void scopes.follow();
  const views = createViews(shared, scopes.scope$, scopes.open);
  const notLoaded = (error: unknown) => {
    shared.log("A part could not be loaded", error);
    return failed("network");
  };
  return {
    auth: {
      ...auth,
      ...account,
      session: auth.session as Live<SessionState>,
      /** On the server and, when that was done, everything of it on this device. */
      async deleteAccount(password: string) {
        const deleted = await account.deleteAccount(password);
        if (deleted.success) await scopes.leave("discard");
        return deleted;
      },
      /** `keep` seals the queue for this user's next sign-in on this device. */
      async signOut(queue: Queue) {
        endOwnSession();
        await scopes.leave(queue);
        return ok(null);
      },
    },
    reads: createReads(views),
    writes: createWrites(createActs(shared, scopes.open)),
    admin: loadWhenUsed(async () => {
      const { createAdmin } = await import("./admin/admin-client");
      return createAdmin({ remote, refresh, now: deps.now });
    }, notLoaded),
    mail: loadWhenUsed(async () => {
      const { createMail } = await import("./account/mail");
      return createMail({ remote, session, take, refresh });
    }, notLoaded),
    sessions: loadWhenUsed(async () => {
      const { createSessions } = await import("./account/sessions");
      return createSessions(remote, take);
    }, notLoaded),
    push: loadWhenUsed(async () => {
      const { createPush } = await import("./push/push-client");
      return createPush(remote, scopes.open, deps.now);
    }, notLoaded),
    lists: loadWhenUsed(async () => {
      const { createListPlans } = await import("./media/list-plan");
      return createListPlans(shared, scopes.open, views.address);
    }, notLoaded),
    outbox: createOutbox(shared, scopes, views.address),
    connection: shared.connection as Live<Connection>,
    storage: createStorageInfo(shared, scopes),
    exportData: exportOf(shared),
    async sync(): Promise<Result<null>> {
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

const createReads = (views: Views) => ({
  ...createMediaReads(views),
  ...createCommentReads(views),
  ...createPeopleReads(views),
  ...createChatReads(views),
  ...createNotificationReads(views),
  ...createSaveReads(views),
  ...createSearchReads(views),
  ...createSettingsReads(views),
});

/** A successful write is safe on this device, and not necessarily sent yet. */
const createWrites = (acts: Acts) => ({
  ...createMediaWrites(acts),
  ...createCommentWrites(acts),
  ...createPeopleWrites(acts),
  ...createChatWrites(acts),
  ...createNotificationWrites(acts),
  ...createReportWrites(acts),
  ...createSaveWrites(acts),
  ...createSettingsWrites(acts),
});

const createStorageInfo = ({ deps, storage }: Shared, { open }: Scopes) => ({
  state: storage as Live<StorageState>,
  async usage(): Promise<StorageUsage> {
    const { replica } = await open();
    const [used, media] = await Promise.all([
      readUsage({ deps, replica }),
      replica.media.count().exec(),
    ]);
    return { ...used, media };
  },
  clear: async () => clearCaches({ deps, ...(await open()) }),
});

const exportOf =
  ({ deps, remote, auth }: Shared) =>
  async (options: ExportOptions) => {
    const session = auth.session.getSnapshot();
    if (session.state !== "signed-in") return failed("unauthenticated");
    const { exportData } = await import("./export/export-data");
    return exportData({ ...deps, remote, userId: session.user.id }, options);
  };

type Scopes = ReturnType<typeof createScopes>;

type Queue = "keep" | "discard";

function createScopes(shared: ClientShared) {
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
      void current.drain.wake();
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
    /** The open scope. Right after a sign-in the one before is still there, which is not meant. */
    open: () =>
      firstValueFrom(
        scope$.pipe(filter((scope) => scope !== null && scope.userId === wanted())),
      ) as Promise<Scope>,
    leave: (queue: Queue) => {
      const userId = wanted();
      // The page may be closed at any moment from here on.
      if (queue === "discard" && userId !== null) {
        noteDiscard(deps.storage.local, userId, true);
        tapNotes(deps.storage.local, userId).clear();
      }
      // Before anything is deleted: nothing more may be asked in this person's name.
      const leaving = inTurn(async () => {
        const current = scope$.value;
        scope$.next(null);
        await current?.wipe(queue);
        if (queue === "discard" && userId !== null) noteDiscard(deps.storage.local, userId, false);
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
  sent: [],
  bytes: 0,
};

function createOutbox(
  { nouns, deps, log }: Shared,
  { scope$, open }: Scopes,
  address: (path: string) => string,
) {
  const view$ = scope$.pipe(
    switchMap((scope) => (scope === null ? of(EMPTY) : watchOutbox(nouns, scope, address))),
  );
  const broken = (): OutboxView => ({ ...EMPTY, failed: true });
  const live: Live<OutboxView> = createLive(view$, EMPTY, broken, { delay: deps.delay, log });
  return {
    watch: () => live,
    retry: async (intentId: string) => (await open()).drain.retry(intentId),
    pause: async (intentId: string) => pauseIntent((await open()).replica, intentId),
    resume: async (intentId: string) => (await open()).drain.retry(intentId),
    async discard(intentId: string) {
      const { replica, device, drain } = await open();
      const doc = await replica.outbox.findOne(intentId).exec();
      if (doc === null) return;
      drain.cancel(intentId, "discarded");
      await discardIntent(replica, device, doc.toJSON() as OutboxRow);
    },
    drain: async () => (await open()).drain.drain(),
  };
}
