/**
 * Sends one person's queue where there is no page: the same engine with the same lanes and
 * identities. It shares the page's databases and its election, so one of both sends at a time; what
 * was cut off in one is sent again, under its own identity, by the other.
 */
import type { Scope } from "./engine/context";
import type { ClientDeps } from "./engine/deps";
import { readRows } from "./engine/outbox";
import { openScope } from "./engine/scope";
import { createShared } from "./shared";

/** `waits`: something is left that may go another time. */
export type QueueFate = "sent" | "waits";

/** Ends early when `signal` fires; then the page that is there goes on. */
export async function sendQueue(deps: ClientDeps, signal: AbortSignal): Promise<QueueFate> {
  const shared = createShared(deps);
  const session = shared.auth.session.getSnapshot();
  if (session.state !== "signed-in" || session.needsLogin) return "sent";
  const scope = await openScope(shared, session.user.id);
  try {
    // Without the device's databases there is no queue: what is in memory is empty.
    if (shared.storage.getSnapshot() !== "persistent") return "sent";
    await Promise.race([scope.leading, whenAborted(signal)]);
    if (!signal.aborted) await drain(scope, signal);
    return (await readRows(scope.replica, "pending", "sending")).length > 0 ? "waits" : "sent";
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

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
