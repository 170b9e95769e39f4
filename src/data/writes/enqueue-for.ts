/** Queues an intent of whoever is signed in; where the device is full, what can be had again makes room first. */
import { enqueueIntent } from "@/data/outbox/enqueue-intent";
import type { Intent } from "@/data/outbox/intents";
import { makeRoom } from "@/data/replica/make-room";
import type { Result } from "@/domain/result";
import type { WritesDeps } from "./create-writes";

/** `storage_full`: there was no room even so, and nothing of it was kept. */
export async function enqueueFor(
  { shared, scope }: WritesDeps,
  intent: Intent,
  blobs: ReadonlyMap<string, Blob> = new Map(),
): Promise<Result<{ intentId: string }>> {
  const { now, random } = shared.deps;
  const { replica, device, unwritten, userId } = await scope();
  const deps = { replica, device, unwritten, now, random };
  const queued = await enqueueIntent(deps, intent, blobs);
  if (queued.success || queued.error !== "storage_full") return queued;
  await makeRoom({ deps: shared.deps, replica, device, userId });
  return enqueueIntent(deps, intent, blobs);
}
