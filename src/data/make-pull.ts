/** One pull of a scope, with what has to be done before and after it: acknowledged intents, room on the device. */
import { failed, ok, type Result } from "@/domain/result";
import { bringBack } from "./outbox/bring-back";
import { keepIntents } from "./outbox/keep-intents";
import { beginOffer } from "./outbox/offer-again";
import { readRows } from "./outbox/read-queue";
import { isQuotaError, type SyncState } from "./replica/device-store";
import { evictMedia } from "./replica/evict-media";
import { keepRoom, makeRoom, readStays } from "./replica/make-room";
import type { CacheName } from "./replica/open-replica";
import type { ScopeBase, Shared } from "./scope-parts";
import type { Applied } from "./sync/apply-changes";
import { forgetSeq } from "./sync/pull-everything";
import { type PullDeps, pullFeed, pullPublic } from "./sync/pull-feed";
import { pullOne } from "./sync/pull-one";

type Pull = () => Promise<Result<{ changed: boolean }>>;

export function makePull(shared: Shared, base: ScopeBase): Pull {
  const { deps, remote, auth, connection, log } = shared;
  const { replica, device, userId } = base;
  const room = { deps, replica, device, userId };
  /** Rows that went since the last pull that came to its end. */
  const removed = new Set<string>();
  /** What stood before a new history counts as acknowledged since: one more pull takes it out of the overlay. */
  let isAnew = false;
  const ask = (name: CacheName, id: string) => pullOne(remote, replica, name, id);
  const pulling: PullDeps = {
    remote,
    replica,
    device,
    userId,
    onApplied(applied) {
      for (const id of applied.removed) removed.add(id);
      announce(shared, applied);
    },
    onRights: auth.noteRights,
    onStranger: () => connection.set("offline"),
    onNewHistory: (had) => {
      isAnew = true;
      const askAnew = async (name: CacheName, id: string) => {
        await forgetSeq(replica, name, [id]);
        return ask(name, id);
      };
      const offering = { replica, ask: askAnew, userId, random: deps.random, now: deps.now };
      return beginOffer(offering, had);
    },
  };
  /** How far the public part has come while a sign-in is needed. */
  let publicAt: SyncState | null = null;

  const pullAsGuest: Pull = async () => {
    const from = publicAt ?? (await device.readSync());
    const pulled = from === null ? null : await pullPublic(pulling, from);
    if (pulled === null) return failed("unauthenticated");
    publicAt = pulled.reached;
    return ok({ changed: pulled.changed });
  };
  const pull: Pull = async () => {
    const session = auth.session.getSnapshot();
    if (session.state === "signed-in" && session.needsLogin) return pullAsGuest();
    publicAt = null;
    const acked = await readRows(replica, "acked");
    const result = await pullFeed(pulling);
    if (!result.success && result.error === "suspended") shared.endSuspended();
    if (!result.success) return result;
    const settled = await bringBack({ replica, ask }, acked);
    await keepIntents({ replica, device }, { acked: settled, removed }, deps.now());
    removed.clear();
    await evictMedia(replica, device, () => readStays(room));
    await keepRoom(room);
    if (!isAnew) return result;
    isAnew = false;
    const again = await pull();
    return again.success ? ok({ changed: true }) : again;
  };
  const pullWithRoom: Pull = async () => {
    try {
      return await pull();
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      log("The device is full: what can be had again goes", error);
      await makeRoom(room);
      return pull();
    }
  };
  return () =>
    deps.locks ? deps.locks.request(`${replica.name}-pull`, pullWithRoom) : pullWithRoom();
}

function announce(shared: Shared, { changedMedia, deletedMedia, goneFiles }: Applied): void {
  for (const mediaId of changedMedia) shared.emit({ type: "mediaUpdated", mediaId });
  for (const { id } of deletedMedia) shared.emit({ type: "media-deleted", mediaId: id });
  if (goneFiles.length === 0) return;
  void shared.deps
    .dropMedia?.(goneFiles)
    .catch((error) => shared.log("Ignoring that a deleted file could not be dropped", error));
}
