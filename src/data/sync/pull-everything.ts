/**
 * What a pull from nothing brings: the newest media, every row of one's own, and those of the rest that were here
 * already. What of that the server still has is taken; what it does not name is left in `stale`.
 */
import type { RxCollection } from "rxdb";
import type { Remote } from "@/data/remote/create-remote";
import type { DeviceStore } from "@/data/replica/device-store";
import { setWindow } from "@/data/replica/list-windows";
import { CACHE_NAMES, type CacheName, type Replica } from "@/data/replica/open-replica";
import type { RawRecord, ReplicaRow } from "@/data/schema/define-schema";
import { ok, type Result } from "@/domain/result";
import { pullAll, pullIds, pullNewestMedia } from "./pull-lists";

export type Ids = Record<CacheName, Set<string>>;

export interface Everything {
  take: (name: CacheName) => (records: RawRecord[]) => Promise<void>;
  /** Ids of what is here and was not named yet; `take` takes out what comes. */
  stale: Ids;
}

interface EverythingDeps {
  remote: Remote;
  device: Pick<DeviceStore, "windows$" | "writeWindows">;
  /** Null for the guest. */
  userId: string | null;
}

/** Collections of which a signed-in user has every row that he may see. */
const OWN_LISTS: CacheName[] = ["likes", "follows", "blocks", "conversations"];
/** Of these the device has what was shown: the server is asked for each row by its id. */
const PARTIAL_LISTS: CacheName[] = ["media", "profiles", "comments", "messages"];

export async function pullEverything(
  deps: EverythingDeps,
  everything: Everything,
): Promise<Result<null>> {
  const { remote, userId } = deps;
  const { take } = everything;
  const newest = await pullNewestMedia(remote, { filter: "all" }, take("media"));
  if (!newest.success) return newest;
  await setWindow(deps.device, { filter: "all" }, newest.value);
  const settings = await pullAll(remote, "settings", take("settings"));
  if (!settings.success) return settings;
  const own = userId === null ? ok(null) : await pullOwn(deps, userId, take);
  return own.success ? pullKnown(remote, everything) : own;
}

async function pullOwn(
  { remote, device }: EverythingDeps,
  userId: string,
  take: Everything["take"],
): Promise<Result<null>> {
  const own = await pullNewestMedia(remote, { filter: "all", userId }, take("media"));
  if (!own.success) return own;
  await setWindow(device, { filter: "all", userId }, own.value);
  for (const name of OWN_LISTS) {
    const list = await pullAll(remote, name, take(name));
    if (!list.success) return list;
  }
  return ok(null);
}

/**
 * An earlier first pull that was cut off, or another history, left rows whose tombstones the feed will never tell of.
 */
async function pullKnown(remote: Remote, { take, stale }: Everything): Promise<Result<null>> {
  for (const name of PARTIAL_LISTS) {
    const known = await pullIds(remote, name, [...stale[name]], take(name));
    if (!known.success) return known;
  }
  return ok(null);
}

/** Ids of all that is here. */
export async function readIds(replica: Replica): Promise<Ids> {
  const sets = CACHE_NAMES.map(async (name) => {
    const rows = await (replica[name] as unknown as RxCollection<ReplicaRow>).find().exec();
    return [name, new Set(rows.map((row) => row.id))] as const;
  });
  return Object.fromEntries(await Promise.all(sets)) as Ids;
}

/** Another history numbers its rows anew: what it tells is newer whatever its number. */
export async function forgetSeq(replica: Replica, name: CacheName, ids: string[]): Promise<void> {
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  const known = await collection.findByIds(ids).exec();
  await Promise.all([...known.values()].map((doc) => doc.incrementalPatch({ seq: -1 })));
}
