/**
 * Sends one person's queue where there is no page: the same engine with the same lanes and
 * identities. It shares the page's databases and its election, so one of both sends at a time; what
 * was cut off in one is sent again, under its own identity, by the other.
 */
import { unreadCountOf } from "@/domain/chats";
import type { Scope } from "./engine/context";
import type { ClientDeps } from "./engine/deps";
import { enqueueIntent } from "./engine/enqueue";
import type { Intent } from "./engine/noun";
import { readRows } from "./engine/outbox";
import { openScope } from "./engine/scope";
import { areOfThisVersion } from "./engine/versions";
import { type ClientShared, createShared } from "./shared";

export interface QueueReport {
  /** Rows that may go another time; null where the queue was not read. */
  left: number | null;
  /** Messages for this person that nobody has read; null where that is not known. */
  unread: number | null;
  /** Whether the intent that was given is in the queue, or was sent. */
  isQueued: boolean;
}

const UNKNOWN: QueueReport = { left: null, unread: null, isQueued: false };

/** A page that the system has frozen leads, and lets nobody else: then it is not waited for. */
const LEAD_MS = 10_000;
/** A row that is to be tried again sooner than this is waited for. */
const PAUSE_MOST_MS = 60_000;
/** A network that is only just there may not answer at once. */
const TRIES = 3;
const TRY_AGAIN_MS = 3_000;

/**
 * Ends early when `signal` fires; then a page that is there goes on.
 *
 * @param intent queued before, by a tap on a notification
 */
export async function sendQueue(
  deps: ClientDeps,
  signal: AbortSignal,
  intent?: Intent,
): Promise<QueueReport> {
  const shared = createShared(deps);
  const session = shared.auth.session.getSnapshot();
  if (session.state !== "signed-in" || session.needsLogin)
    return { left: 0, unread: null, isQueued: false };
  const userId = session.user.id;
  // Of another version's databases nothing is changed: a page makes its own of them.
  if (!(await areOfThisVersion(shared.nouns, deps.storage, userId))) return UNKNOWN;
  const scope = await openScope(shared, userId);
  // A file on its way stops too.
  const stop = () => {
    shared.remote.close();
    void scope.drain.close();
  };
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    // What is in memory only is not the queue.
    if (shared.storage.getSnapshot() !== "persistent") return UNKNOWN;
    const { now, random, storage } = deps;
    const own = { pending: shared.pending, local: storage.local, now, random };
    const isQueued = !!intent && (await enqueueIntent({ ...scope, ...own }, intent)).success;
    const patience = deps.delay(LEAD_MS, signal).then(() => false);
    const leads = await Promise.race([scope.leading.then(() => true), patience]);
    if (!leads || signal.aborted) return { ...UNKNOWN, isQueued };
    await scope.drain.drain();
    const isReached = await sendAll(shared, scope, signal);
    if (signal.aborted) return { ...UNKNOWN, isQueued };
    // What was sent comes back, and what others have written with it.
    const isPulled = isReached && (await scope.loop.pull()).success;
    return {
      left: (await readRows(scope.replica, "pending", "sending")).length,
      unread: isPulled ? await countUnread(scope, userId) : null,
      isQueued,
    };
  } finally {
    signal.removeEventListener("abort", stop);
    shared.remote.close();
    await scope.close();
  }
}

/** Whether the server answers, asked a few times. */
async function reach({ deps }: ClientShared, { loop }: Scope, signal: AbortSignal) {
  for (let tried = 1; !signal.aborted; tried += 1) {
    const { success } = await loop.pull();
    if (success || tried === TRIES) return success;
    await deps.delay(TRY_AGAIN_MS, signal);
  }
  return false;
}

/**
 * Goes on until nothing is left that goes now, or soon.
 *
 * @returns whether the server answers
 */
async function sendAll(shared: ClientShared, scope: Scope, signal: AbortSignal): Promise<boolean> {
  const { deps, connection } = shared;
  while (!signal.aborted) {
    await scope.drain.settled();
    if (scope.drain.isBusy()) continue;
    if (connection.getSnapshot() !== "online") {
      if (!(await reach(shared, scope, signal))) return false;
      await scope.drain.wake();
      continue;
    }
    const rows = await readRows(scope.replica, "pending");
    const pauses = rows.map(({ nextAt }) => nextAt - deps.now()).filter((ms) => ms > 0);
    const next = Math.min(...pauses);
    if (next > PAUSE_MOST_MS) return true;
    await deps.delay(next, signal);
    await scope.drain.wake();
  }
  return false;
}

async function countUnread({ replica }: Scope, userId: string): Promise<number> {
  const chats = await replica.conversations.find().exec();
  return chats.reduce((sum, chat) => sum + unreadCountOf(chat, userId), 0);
}
