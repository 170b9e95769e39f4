/**
 * What people mute: rows of `blocks` that block nobody and name a person or a word. Their devices
 * hide it; here they are kept, and whoever is muted is not suggested.
 */
import { refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import { findRecord, isSuperuser, keepOnly, requestOf, userIdOf } from "@hooks/http/request";
import type { ErrorCode } from "@/domain/error-codes";
import { muteId, WORD_SIGN } from "@/domain/ids";
import { MUTES_MAX, WORD_MAX } from "@/domain/limits";
import { foldText } from "@/domain/search-terms";
import { isBlank } from "@/domain/texts";

export const isMute = (block: core.Record): boolean =>
  block.getString("blockedId") === "" &&
  (block.getString("mutedId") !== "" || block.getString("word") !== "");

export function createMute(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  keepOnly(e.record as core.Record, ["blockerId", "mutedId", "word"]);
  const fault = muteFault(e);
  if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
  e.next();
}

function muteFault(e: core.RecordRequestEvent): ErrorCode | null {
  const record = e.record as core.Record;
  const me = userIdOf(e);
  const [mutedId, word] = [record.getString("mutedId"), record.getString("word").trim()];
  if (record.getString("blockerId") !== me) return "forbidden";
  if (mutedId !== "" && record.getString("word") !== "") return "invalid";
  if (mutedId === me) return "self";
  if (mutedId === "" && isBlank(word)) return "text_empty";
  if (word.length > WORD_MAX) return "text_long";
  if (mutedId !== "" && !findRecord(e.app, "users", mutedId)) return "gone";
  const id = muteId(me, mutedId || WORD_SIGN + foldText(word));
  if (record.id !== "" && record.id !== id) return "invalid";
  record.set("id", id);
  record.set("word", word);
  return null;
}

/** Throws where there are as many as may be. */
export function boundMutes(tx: CoreApp, mute: core.Record): void {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  tx.db()
    .newQuery("SELECT count(*) AS n FROM blocks WHERE blockerId = {:id} AND blockedId = ''")
    .bind({ id: mute.getString("blockerId") })
    .one(row);
  if (row.n >= MUTES_MAX) throw refusalError("mutes_many");
}
