/** What page and service worker say to each other. An old worker may meet a new page: add words, never change one. */
import type { MediaUsage } from "./media-cache";

export type ToServiceWorker =
  /** The person asked for the new version. */
  | { type: "SKIP_WAITING" }
  /** Fetch these whole and keep them on the device. Answer: `KeepAnswer`. */
  | { type: "KEEP"; urls: string[] }
  /** Fetch these whole, as loosely as if a page had shown them. */
  | { type: "WARM"; urls: string[] }
  /** These were deleted. */
  | { type: "FORGET"; urls: string[] }
  | { type: "SIGNED_OUT" }
  /** Answer: `MediaUsage`. */
  | { type: "USAGE" };

export interface KeepAnswer {
  kept: string[];
  failed: string[];
}

/** Answers travel over the port that came with the message. `done` is the answer to what has none of its own. */
export type FromServiceWorker = KeepAnswer | MediaUsage | { done: true };

/** Sent to every page when the browser's Background Sync says that there is a network again. */
export const OUTBOX_SYNC = "OUTBOX_SYNC";
/** Tag of that Background Sync. */
export const OUTBOX_SYNC_TAG = "outbox";
