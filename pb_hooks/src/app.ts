/// <reference path="../../.cache/pocketbase/types.d.ts" />
/**
 * Every handler that `hooks.pb.js` can name, by name. Built to one CommonJS file, which each engine
 * of the pool loads once: nothing here may keep state between calls (use `$app.store()`).
 */

import { accountHandlers } from "@hooks/account";
import { auditHandlers } from "@hooks/admin/audit";
import { cleanupHandlers } from "@hooks/admin/cleanup";
import { listHandlers } from "@hooks/admin/lists";
import { chatHandlers } from "@hooks/chat";
import { hintHandlers } from "@hooks/feed/hints";
import { historyHandlers } from "@hooks/feed/history";
import { syncHandlers } from "@hooks/feed/sync";
import { photoMessageHandlers } from "@hooks/finish/photo-message";
import { guardHandlers } from "@hooks/http/guard-writes";
import { recordHandlers } from "@hooks/http/records";
import { busyError, isOutage, RETRY_AFTER } from "@hooks/http/refusals";
import { requestOf } from "@hooks/http/request";
import { staticHandlers } from "@hooks/http/static-files";
import { limitHandlers } from "@hooks/limits";
import { mediaHandlers } from "@hooks/media";
import { peopleHandlers } from "@hooks/people";
import { reportHandlers } from "@hooks/reports";
import { searchHandlers } from "@hooks/search";
import { settingsHandlers } from "@hooks/settings";
import { socialHandlers } from "@hooks/social";
import { partialHandlers } from "@hooks/tus/partial-files";
import { uploadHandlers } from "@hooks/tus/uploads";

type Handler = (e: never) => unknown;
type Handlers = Record<string, Handler>;

export const handlers = collect([
  historyHandlers,
  syncHandlers,
  recordHandlers,
  hintHandlers,
  guardHandlers,
  accountHandlers,
  peopleHandlers,
  mediaHandlers,
  socialHandlers,
  reportHandlers,
  chatHandlers,
  photoMessageHandlers,
  settingsHandlers,
  searchHandlers,
  limitHandlers,
  auditHandlers,
  listHandlers,
  cleanupHandlers,
  uploadHandlers,
  partialHandlers,
  staticHandlers,
]);

/** One record of all handlers. The map knows them by name alone, so two may not share one. */
function collect(groups: readonly Handlers[]): Handlers {
  const all: Handlers = {};
  for (const [name, handler] of groups.flatMap((group) => Object.entries(group))) {
    if (name in all) throw new Error(`Two handlers are called ${name}.`);
    all[name] = answeringOutages(handler);
  }
  return all;
}

/**
 * Answers 503 when the database could not respond. PocketBase would make a final refusal of it, and
 * devices would give up what they have queued; a 503 they try again.
 */
function answeringOutages(handler: Handler): Handler {
  return (e) => {
    try {
      return handler(e);
    } catch (error) {
      if (!isOutage(error)) throw error;
      // A scheduled job has no event, and a record event has no response.
      if (e !== undefined) requestOf(e).response?.header().set("Retry-After", RETRY_AFTER);
      throw busyError();
    }
  };
}
