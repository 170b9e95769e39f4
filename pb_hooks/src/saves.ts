/**
 * What people have saved for themselves, and their folders: both are rows of `saves`. A folder's
 * has a `name` and no medium, and makes its id as any row does: on the device. Nobody else learns
 * of them, so that no block stands in the way.
 */
import { refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import {
  findRecord,
  inTransaction,
  isSuperuser,
  keepOnly,
  requestOf,
  TRUSTED,
  userIdOf,
} from "@hooks/http/request";
import type { ErrorCode } from "@/domain/error-codes";
import { isId, pairId } from "@/domain/ids";
import { FOLDER_NAME_MAX, FOLDERS_MAX, SAVES_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";

export const saveHandlers = {
  createSave(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    keepOnly(record, ["userId", ...fieldsOf(record), ...(isFolder(record) ? [] : ["mediaId"])]);
    const fault = creationFault(e, record) ?? contentFault(record);
    if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
    e.next();
  },

  /** Puts a save into another folder, or gives a folder another name. */
  updateSave(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    keepOnly(record, fieldsOf(record.original()));
    const fault = contentFault(record);
    if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
    e.next();
  },

  boundSaves(e: core.ModelEvent) {
    const record = e.model as unknown as core.Record;
    inTransaction(e as { app: CoreApp }, (tx) => {
      if (!record.get(TRUSTED)) checkBounds(tx, record);
      e.next();
    });
  },
};

const isFolder = (record: core.Record): boolean => record.getString("mediaId") === "";

/** What its owner may change of it. */
const fieldsOf = (record: core.Record): readonly string[] =>
  isFolder(record) ? ["name"] : ["folderId"];

function creationFault(e: core.RecordRequestEvent, record: core.Record): ErrorCode | null {
  const me = userIdOf(e);
  if (record.getString("userId") !== me) return "forbidden";
  const mediaId = record.getString("mediaId");
  if (isFolder(record)) {
    const [, folderId] = record.id.split("_");
    return isId(folderId) && record.id === pairId(me, folderId) ? null : "invalid";
  }
  const id = pairId(me, mediaId);
  if (record.id !== "" && record.id !== id) return "invalid";
  if (!findRecord(e.app, "media", mediaId)) return "gone";
  record.set("id", id);
  return null;
}

function contentFault(record: core.Record): ErrorCode | null {
  if (!isFolder(record)) {
    const folderId = record.getString("folderId");
    return folderId === "" || isId(folderId) ? null : "invalid";
  }
  const name = record.getString("name").trim();
  if (isBlank(name)) return "text_empty";
  if (name.length > FOLDER_NAME_MAX) return "text_long";
  record.set("name", name);
  return null;
}

function checkBounds(tx: CoreApp, record: core.Record): void {
  const most = isFolder(record) ? FOLDERS_MAX : SAVES_MAX;
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  tx.db()
    .newQuery(
      `SELECT count(*) AS n FROM saves WHERE userId = {:id}${isFolder(record) ? " AND mediaId = ''" : ""}`,
    )
    .bind({ id: record.getString("userId") })
    .one(row);
  if (row.n >= most) throw refusalError(isFolder(record) ? "folders_many" : "saves_many");
}
