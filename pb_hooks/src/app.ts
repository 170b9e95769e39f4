/// <reference path="../../.cache/pocketbase/types.d.ts" />
/**
 * Every handler that `hooks.pb.js` can name, by name. Built to one CommonJS file, which each engine
 * of the pool loads once: nothing here may keep state between calls (use `$app.store()`).
 */

import { accountHandlers } from "@hooks/account";
import { auditHandlers } from "@hooks/admin/audit";
import { cleanupHandlers } from "@hooks/admin/cleanup";
import { examine, healthHandlers, recount } from "@hooks/admin/health";
import { listHandlers } from "@hooks/admin/lists";
import { metricsHandlers } from "@hooks/admin/metrics";
import { identify, trafficHandlers } from "@hooks/admin/traffic";
import { chatHandlers } from "@hooks/chat";
import { exploreHandlers } from "@hooks/explore";
import { hintHandlers } from "@hooks/feed/hints";
import { historyHandlers } from "@hooks/feed/history";
import { syncHandlers } from "@hooks/feed/sync";
import { photoMessageHandlers } from "@hooks/finish/photo-message";
import { followingHandlers } from "@hooks/following";
import { guardHandlers } from "@hooks/http/guard-writes";
import { recordHandlers } from "@hooks/http/records";
import { busyError, isOutage, RETRY_AFTER } from "@hooks/http/refusals";
import { requestOf } from "@hooks/http/request";
import { staticHandlers } from "@hooks/http/static-files";
import { limitHandlers } from "@hooks/limits";
import { mailHandlers } from "@hooks/mail";
import { mediaHandlers } from "@hooks/media";
import { notificationHandlers } from "@hooks/notifications";
import { peopleHandlers } from "@hooks/people";
import { pushHandlers } from "@hooks/push";
import { reportHandlers } from "@hooks/reports";
import { saveHandlers } from "@hooks/saves";
import { searchHandlers } from "@hooks/search";
import { sessionHandlers } from "@hooks/sessions";
import { settingsHandlers } from "@hooks/settings";
import { socialHandlers } from "@hooks/social";
import { storageHandlers } from "@hooks/storage";
import { tagHandlers } from "@hooks/tags";
import { turnHandlers } from "@hooks/turns";
import { partialHandlers } from "@hooks/tus/partial-files";
import { uploadHandlers } from "@hooks/tus/uploads";

declare global {
  /** What the engine brings besides PocketBase's own bindings. */
  const Buffer: {
    from(bytes: number[]): Uint8Array;
    from(
      text: string,
      encoding: "base64" | "hex" | "utf8",
    ): Uint8Array & {
      toString(encoding: "utf8" | "hex" | "base64"): string;
    };
  };
}

type Handler = (e: never) => unknown;
type Handlers = Record<string, Handler>;

// An engine beyond the pool loads all of this for one request: what stands here, and outside the
// functions of all rooms, is paid by it.
export const groups: readonly Handlers[] = [
  historyHandlers,
  syncHandlers,
  recordHandlers,
  hintHandlers,
  guardHandlers,
  accountHandlers,
  sessionHandlers,
  pushHandlers,
  notificationHandlers,
  peopleHandlers,
  mediaHandlers,
  socialHandlers,
  saveHandlers,
  reportHandlers,
  chatHandlers,
  photoMessageHandlers,
  settingsHandlers,
  searchHandlers,
  followingHandlers,
  exploreHandlers,
  tagHandlers,
  limitHandlers,
  turnHandlers,
  mailHandlers,
  auditHandlers,
  listHandlers,
  cleanupHandlers,
  healthHandlers,
  trafficHandlers,
  metricsHandlers,
  uploadHandlers,
  partialHandlers,
  storageHandlers,
  staticHandlers,
];

const handlers: Handlers = Object.assign({}, ...groups);

/** For the command line alone (scripts/pocketbase-commands). */
export const doctor = { examine, recount };

/**
 * Counts the engine among those that have loaded this (hooks.pb.js reads both). In a crowd many
 * count at once.
 */
function countEngine(): void {
  Object.assign(globalThis, { hasBundle: true });
  $app.store().setFunc("engines", (count: unknown) => Number(count ?? 0) + 1);
}

let isCounted = false;

/**
 * Runs the handler of that name. Answers 503 when the database could not respond: PocketBase would
 * make a final refusal of it, and devices would give up what they have queued; after a 503 they try
 * again.
 * @param e none for a scheduled job
 */
export function run(name: string, e?: unknown): unknown {
  const handler = handlers[name] as (e: unknown) => unknown;
  if (!isCounted) countEngine();
  isCounted = true;
  try {
    // Files of the app need no id: it would outweigh their other headers.
    if (e !== undefined && handler !== staticHandlers.serveApp) identify(e);
    return handler(e);
  } catch (error) {
    if (!isOutage(error)) throw error;
    // A record event has no response.
    if (e !== undefined) {
      requestOf(e as core.RequestEvent)
        .response?.header()
        .set("Retry-After", RETRY_AFTER);
    }
    throw busyError();
  }
}
