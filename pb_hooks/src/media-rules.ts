/** What the owner may change on a medium, and what only admins see of it. */

import type { ErrorCode } from "@/domain/error-codes";
import { ALT_MAX, CAPTION_MAX } from "@/domain/limits";
import { parseTags, tagsFault } from "@/domain/tags";
import { isAdmin, isSuperuser, keepOnly, requestOf } from "./acting";
import { dropBadFields, refuse } from "./refuse";
import { refusalOf } from "./refused";

/** Of the JSON; thirty long tags stay far below it, and a list of millions is not taken apart. */
const TAGS_MAX_LENGTH = 20_000;

function faultOf(record: core.Record, tags: string[]): ErrorCode | null {
  if (record.getString("caption").length > CAPTION_MAX) return "caption_long";
  if (record.getString("alt").length > ALT_MAX) return "text_long";
  return tagsFault(tags);
}

export function updateMedia(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  const record = e.record as core.Record;
  keepOnly(record, ["caption", "tags", "alt"]);
  const raw = record.getString("tags");
  if (raw.length > TAGS_MAX_LENGTH) return refuse(requestOf(e), refusalOf("tags_many"));
  const stored: unknown = JSON.parse(raw || "[]");
  const isTexts = !Array.isArray(stored) || stored.every((tag) => typeof tag === "string");
  if (!isTexts) return refuse(requestOf(e), refusalOf("invalid", "Tags must be a list of texts."));
  const tags = parseTags(stored);
  const fault = faultOf(record, tags);
  if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
  record.set("tags", tags);
  e.next();
}

/**
 * `reports` is hidden from everybody but admins. Bound to the requests and not to the enriching of each record: an
 * engine per row made lists twenty times slower.
 */
export function showReportsInList(e: core.RecordsListRequestEvent) {
  // A panic inside a hook would cost the pool an engine.
  dropBadFields(requestOf(e));
  if (isAdmin(e)) for (const record of e.records) record?.unhide("reports");
  e.next();
}

export function showReportsInView(e: core.RecordRequestEvent) {
  dropBadFields(requestOf(e));
  if (isAdmin(e)) e.record?.unhide("reports");
  e.next();
}
