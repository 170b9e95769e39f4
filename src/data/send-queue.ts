/**
 * Sends one person's queue where there is no page: the same engine with the same lanes and
 * identities. It shares the page's databases and its election, so one of both sends at a time; what
 * was cut off in one is sent again, under its own identity, by the other.
 */
import { unreadCountOf } from "@/domain/chats";
import type { Scope } from "./engine/context";
import type { ClientDeps } from "./engine/deps";
import { readRows } from "./engine/outbox";
import { openScope } from "./engine/scope";
import { createShared } from "./shared";

/** `waits`: something is left that may go another time. */
export type QueueFate = "sent" | "waits";

export interface QueueReport {
  fate: QueueFate;
  /** Messages for this person that nobody has read; null where that is not known. */
  unread: number | null;
}

const NOTHING: QueueReport = { fate: "sent", unread: null };

/** Ends early when `signal` fires; then the page that is there goes on. */
export async function sendQueue(deps: ClientDeps, signal: AbortSignal): Promise<QueueReport> {
  const shared = createShared(deps);
  const session = shared.auth.session.getSnapshot();
  if (session.state !== "signed-in" || session.needsLogin) return NOTHING;
  const scope = await openScope(shared, session.user.id);
  try {
    // Without the device's databases there is no queue: what is in memory is empty.
    if (shared.storage.getSnapshot() !== "persistent") return NOTHING;
    const stopped = whenAborted(signal);
    await Promise.race([scope.leading, stopped]);
    if (!signal.aborted) await drain(scope, signal);
    const left = await readRows(scope.replica, "pending", "sending");
    // What was sent comes back, and what others have written with it.
    const pulled = await Promise.race([scope.loop.pull(), stopped]);
    return {
      fate: left.length > 0 ? "waits" : "sent",
      unread: pulled?.success === true ? await countUnread(scope, session.user.id) : null,
    };
  } finally {
    await scope.close();
    shared.remote.close();
  }
}

async function drain({ drain: queue }: Scope, signal: AbortSignal): Promise<void> {
  const stopped = whenAborted(signal);
  await Promise.race([queue.drain(), stopped]);
  do await Promise.race([queue.settled(), stopped]);
  while (queue.isBusy() && !signal.aborted);
}

async function countUnread({ replica }: Scope, userId: string): Promise<number> {
  const chats = await replica.conversations.find().exec();
  return chats.reduce((sum, chat) => sum + unreadCountOf(chat, userId), 0);
}

const whenAborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
