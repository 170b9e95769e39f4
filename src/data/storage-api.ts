/** What the device knows about its own storage. Types only. */
import type { Live } from "./client-api";

/**
 * Where this person's data lie. `memory`: the browser gives no storage, so everything ends with the page; `newer`: a
 * later version of the app was here and its queue must not be touched, so this one keeps everything in memory too;
 * `full`: so does this one, because the device has no room to open what lies on it.
 */
export type StorageState = "unknown" | "persistent" | "memory" | "newer" | "full";

/** Bytes; null where the browser does not tell. */
export interface StorageUsage {
  /** Of this site, everything together. */
  usedBytes: number | null;
  /** What the browser grants it. */
  grantedBytes: number | null;
  /** Whether the browser promised not to sweep it away. */
  isLasting: boolean | null;
  /** Cached pictures and videos. */
  cachedBytes: number | null;
  /** Files of what waits or was refused. */
  queuedBytes: number;
  /** Files of what was sent within the last day, kept in case the server loses them. */
  keptBytes: number;
  /** How many media are known here. */
  media: number;
}

export interface ClientStorageInfo {
  state: Live<StorageState>;
  usage(): Promise<StorageUsage>;
  /** Removes what can be had again: cached files and older rows. What is queued, and what the person owns, stays. */
  clear(): Promise<void>;
}
