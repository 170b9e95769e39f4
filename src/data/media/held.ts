/**
 * How far down each list of media the replica has every row. What lies deeper may be there too (an own one, an old
 * one that was just liked) but stays out of the list until the rows before it are there, or the list would skip them.
 */

import type { DeviceStore, ListWindow } from "@/data/engine/device-store";
import { newestFirst } from "@/data/engine/rows";
import type { Replica } from "@/data/engine/store";
import type { FeedQuery } from "@/data/shapes";
import { REPLICA_MAX_MEDIA } from "@/domain/limits";
import { parseInstant } from "@/domain/times";

type Windows = ReadonlyMap<string, ListWindow>;
type ListName = Pick<FeedQuery, "filter"> & { userId?: string | undefined };

const nameOf = ({ userId, filter }: ListName): string => `${userId ?? ""} ${filter}`;

/** Lists of messages lie beside those of media, by the conversation. */
const CHAT = "chat:";
export const chatWindowName = (conversationId: string): string => `${CHAT}${conversationId}`;

/** Undefined where nothing was pulled of the list. What is known of all kinds is known of each. */
export const windowOf = (windows: Windows, list: ListName): ListWindow | undefined =>
  windows.get(nameOf(list)) ?? windows.get(nameOf({ ...list, filter: "all" }));

/** The largest sort key that the list may show; null where there is no end to it. */
export function deepestKey(windows: Windows, list: ListName): number | null {
  const reached = windowOf(windows, list);
  if (reached === undefined || reached === "end") return null;
  return newestFirst(parseInstant(reached.createdAt));
}

export function setWindow(
  device: Pick<DeviceStore, "windows$" | "writeWindows">,
  list: ListName,
  reached: ListWindow,
): Promise<void> {
  return device.writeWindows(new Map(device.windows$.value).set(nameOf(list), reached));
}

/** Rows from `createdAt` (milliseconds) down are no longer all there: no list reaches deeper. */
export function limitWindows(
  device: Pick<DeviceStore, "windows$" | "writeWindows">,
  row: { createdAt: number; id: string },
): Promise<void> {
  const end = { createdAt: new Date(row.createdAt).toISOString().replace("T", " "), id: row.id };
  const limited = [...device.windows$.value].map(([list, reached]) => {
    if (list.startsWith(CHAT)) return [list, reached] as const;
    const deeper = reached === "end" || reached.createdAt < end.createdAt;
    return [list, deeper ? end : reached] as const;
  });
  return device.writeWindows(new Map(limited));
}

/** Keeps the replica small: the media longest not shown go first, one's own and what is kept offline never. */

interface Evictable {
  id: string;
  userId: string;
  createdAt: number;
}

/** What is never evicted: one's own media, and those whose files the person keeps on this device. */
export interface Stays {
  ownerId: string | null;
  kept: ReadonlySet<string>;
}

const NONE: Evictable = { id: "", userId: "", createdAt: 0 };

/** Rows that must go so that `most` remain; those never shown and oldest come first. */
export function mediaToEvict<Row extends Evictable>(
  rows: readonly Row[],
  shown: ReadonlyMap<string, number>,
  { ownerId, kept }: Stays,
  most: number,
): Row[] {
  const excess = rows.length - most;
  if (excess <= 0) return [];
  const shownAt = (row: Row) => shown.get(row.id) ?? 0;
  return rows
    .filter((row) => row.userId !== ownerId && !kept.has(row.id))
    .sort((a, b) => shownAt(a) - shownAt(b) || a.createdAt - b.createdAt)
    .slice(0, excess);
}

export async function evictMedia(
  replica: Replica,
  device: Pick<DeviceStore, "readShown" | "windows$" | "writeWindows">,
  readStays: () => Promise<Stays>,
  most = REPLICA_MAX_MEDIA,
): Promise<void> {
  if ((await replica.media.count().exec()) <= most) return;
  const rows = (await replica.media.find().exec()).map(({ id, userId, createdAt }) => ({
    id,
    userId,
    createdAt,
  }));
  const going = mediaToEvict(rows, await device.readShown(), await readStays(), most);
  const newest = going.reduce((a, b) => (b.createdAt > a.createdAt ? b : a), NONE);
  // First: a list that ends too early is pulled again, one with a hole is not.
  if (newest !== NONE) await limitWindows(device, newest);
  await replica.media.bulkRemove(going.map((row) => row.id));
  await replica.media.storageInstance.cleanup(0);
}

/** Notes which media were shown when, a few at a time, so that showing costs no write each. */

const PAUSE_MS = 5_000;

export interface ShownDeps {
  device: Pick<DeviceStore, "markShown">;
  now: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

export function createShownMarks(deps: ShownDeps): {
  shown: (ids: readonly string[]) => void;
  close: () => void;
} {
  const waiting = new Set<string>();
  const stop = new AbortController();
  const write = async () => {
    await deps.delay(PAUSE_MS, stop.signal);
    const ids = [...waiting];
    waiting.clear();
    if (!stop.signal.aborted) await deps.device.markShown(ids, deps.now());
  };
  return {
    shown(ids) {
      const starts = waiting.size === 0 && ids.length > 0;
      for (const id of ids) waiting.add(id);
      if (!starts || stop.signal.aborted) return;
      void write().catch((error) => deps.log("Ignoring that it is unknown what was shown", error));
    },
    close: () => stop.abort(),
  };
}
