/**
 * How far down each list of media the replica has every row. What lies deeper may be there too (an own one, an old
 * one that was just liked) but stays out of the list until the rows before it are there, or the list would skip them.
 */
import type { FeedQuery } from "@/data/client-api";
import { newestFirst } from "@/data/schema/define-schema";
import { parseInstant } from "@/domain/times";
import type { DeviceStore, ListWindow } from "./device-store";

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
