/**
 * What finishing a medium and finishing a photo message share: exactly one row with the client's id, however often
 * the request comes and however many at once, and an upload that is gone afterwards.
 */

import { findRecord } from "./acting";
import { type CheckedFile, checkFile } from "./finish-file";
import { isRefusal } from "./finish-form";
import { withLock } from "./locks";
import { partialSize } from "./partial-files";
import { NOT_FOUND, type Refusal } from "./refuse";
import { refusalOf } from "./refused";
import { DISK_FULL, EXPIRED } from "./tus-protocol";
import { withUploadLock } from "./upload-lock";
import { isDiskFull } from "./upload-quota";
import { findUpload, isExpired } from "./uploads";

/** The repeat of a request whose first copy still stores 200 MB waits for it. */
const WAIT_MS = 60_000;
const BUSY: Refusal = { status: 503, code: "server", message: "This is being stored. Try again." };

export interface Finish {
  collection: "media" | "messages";
  /** The field that names who made the row. */
  ownerField: "userId" | "senderId";
  id: string;
  uploadId: string;
  owner: string;
  /** Fields by which a row that stands already is known as an earlier answer to this request. */
  same?: Record<string, string>;
  /** Saves the row with the file in it, or says why not. */
  store: (file: CheckedFile) => Refusal | null;
}

const findRow = (app: CoreApp, { collection, id }: Finish): core.Record | null =>
  findRecord(app, collection, id);

/** The row that stands already: his, or a conflict. */
function standing(app: CoreApp, finish: Finish): core.Record | Refusal | null {
  const row = findRow(app, finish);
  if (row === null) return null;
  const same = { ...finish.same, [finish.ownerField]: finish.owner };
  const isSame = Object.entries(same).every(([name, value]) => row.getString(name) === value);
  if (!isSame) return refusalOf("conflict");
  // A crash between storing the row and removing the upload leaves both.
  const left = findUpload(app, finish.uploadId, finish.owner);
  if (left) app.delete(left);
  return row;
}

/** Finishes, or answers the row of an earlier finish. */
export function finishUpload(e: core.RequestEvent, finish: Finish): core.Record | Refusal {
  const lock = { name: `${finish.collection}.${finish.id}`, waitMs: WAIT_MS };
  return withLock(
    e.app,
    lock,
    () => finishOnce(e, finish),
    () => BUSY,
  );
}

function finishOnce(e: core.RequestEvent, finish: Finish): core.Record | Refusal {
  const stands = standing(e.app, finish);
  if (stands) return stands;
  const fault = withUploadLock(e, finish.uploadId, () => storeUpload(e.app, finish));
  return fault ?? findRow(e.app, finish) ?? NOT_FOUND;
}

function storeUpload(app: CoreApp, finish: Finish): Refusal | null {
  const upload = findUpload(app, finish.uploadId, finish.owner);
  if (!upload) return NOT_FOUND;
  if (isExpired(upload)) return EXPIRED;
  const size = partialSize(app, upload.id);
  // A crash came between moving the bytes to a row and storing that row: the upload has to be begun anew.
  if (size < 0) {
    app.delete(upload);
    return NOT_FOUND;
  }
  if (size !== upload.getInt("size")) return refusalOf("conflict", "The upload is not complete.");
  const file = checkFile(app, upload.id);
  if (isRefusal(file)) {
    app.delete(upload);
    return file;
  }
  const fault = saveRow(app, finish, file);
  if (fault === null || fault.code === "file_type") app.delete(upload);
  return fault;
}

function saveRow(app: CoreApp, finish: Finish, file: CheckedFile): Refusal | null {
  try {
    return finish.store(file);
  } catch (error) {
    if (isDiskFull(error)) return DISK_FULL;
    app.logger().error("finishing failed", "id", finish.id, "error", String(error));
    return { status: 500, code: "server", message: "The file could not be stored." };
  }
}
