/**
 * Turns a complete upload into a row with a stored file; media and photo messages share this.
 * However often the request comes, and however many at once, there is one row with the client's
 * id, and the upload is gone afterwards.
 *
 * What the client said about the file does not count: its type comes from its bytes, its size is
 * checked against that type's limit, and its name is ours.
 */
import { BUSY_REFUSAL, isOutage, NOT_FOUND, refusalOf } from "@hooks/http/refusals";
import { findRecord } from "@hooks/http/request";
import { isDiskFull } from "@hooks/quotas";
import { whileNotHeld } from "@hooks/storage";
import {
  openPartialAt,
  partialPath,
  partialSize,
  withLock,
  withUploadLock,
} from "@hooks/tus/partial-files";
import { EXPIRED, findUpload, isExpired } from "@hooks/tus/uploads";
import type { ReadBytes } from "@/domain/bytes";
import { isRefusal, type Refusal } from "@/domain/error-codes";
import { storedNames } from "@/domain/ids";
import { IMAGE_MAX_BYTES, PHOTO_MAX_PIXELS, VIDEO_MAX_BYTES } from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile, fileFault } from "@/domain/media-files";
import { holdsMetadata } from "@/domain/metadata";
import { statedPixels } from "@/domain/pictures";
import { type VideoFacts, videoFacts } from "@/domain/video-facts";
import { readerOf } from "./form";

/** A repeated request waits this long for the first one, which may be storing 200 MB. */
const WAIT_MS = 60_000;
const BUSY: Refusal = { status: 503, code: "server", message: "This is being stored. Try again." };

interface Finish {
  collection: "media" | "messages";
  /** The field with the id of the row's creator. */
  ownerField: "userId" | "senderId";
  id: string;
  uploadId: string;
  owner: string;
  /** Fields by which an existing row is known to come from an earlier copy of this request. */
  same?: Record<string, string>;
  /** Saves the row with its file, or answers why it cannot. */
  store: (file: CheckedFile) => Refusal | null;
}

const findRow = (app: CoreApp, { collection, id }: Finish): core.Record | null =>
  findRecord(app, collection, id);

/** The row of an earlier request, a conflict for another's row, or null. */
function findEarlier(app: CoreApp, finish: Finish): core.Record | Refusal | null {
  const row = findRow(app, finish);
  if (row === null) return null;
  const same = { ...finish.same, [finish.ownerField]: finish.owner };
  const isSame = Object.entries(same).every(([name, value]) => row.getString(name) === value);
  if (!isSame) return refusalOf("conflict");
  // A crash between storing the row and deleting the upload leaves both.
  const left = findUpload(app, finish.uploadId, finish.owner);
  if (left) app.delete(left);
  return row;
}

/** Stores the row, or answers the one of an earlier request. */
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
  const earlier = findEarlier(e.app, finish);
  if (earlier) return earlier;
  const store = () => whileNotHeld(e.app as CoreApp, () => storeUpload(e.app, finish));
  const fault = withUploadLock(e, finish.uploadId, store);
  return fault ?? findRow(e.app, finish) ?? NOT_FOUND;
}

function storeUpload(app: CoreApp, finish: Finish): Refusal | null {
  const upload = findUpload(app, finish.uploadId, finish.owner);
  if (!upload) return NOT_FOUND;
  if (isExpired(upload)) return EXPIRED;
  const size = partialSize(app, upload.id);
  // A crash after the bytes were moved and before the row was stored: the upload starts over.
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
    if (isDiskFull(error)) return refusalOf("storage_full");
    app.logger().error("finishing failed", "id", finish.id, "error", String(error));
    if (isOutage(error)) return BUSY_REFUSAL;
    return { status: 500, code: "server", message: "The file could not be stored." };
  }
}

export interface CheckedFile {
  detected: DetectedFile;
  /** Bytes. */
  size: number;
  /** What a video's own headers say. */
  film: VideoFacts | null;
}

/** A fault of the file itself. No retry can repair it, so the upload is deleted. */
export const FILE_TYPE: Refusal = {
  ...refusalOf("file_type", "This kind of file cannot be stored."),
  status: 415,
};

/** The complete upload's file, or why it cannot be stored. */
function checkFile(app: CoreApp, uploadId: string): CheckedFile | Refusal {
  const size = partialSize(app, uploadId);
  if (size === 0) return refusalOf("file_empty");
  return openPartialAt(app, uploadId, 0, (file) => {
    const read = readerOf(file);
    const detected = detectFile(read(0, DETECT_BYTES));
    if (detected === null) return FILE_TYPE;
    if (detected.kind === "photo" && size > IMAGE_MAX_BYTES) return refusalOf("image_too_large");
    if (size > VIDEO_MAX_BYTES) return refusalOf("video_too_large");
    if (fileFault(read, size, detected) !== null) return refusalOf("file_broken");
    return checkContent(read, size, detected);
  });
}

function checkContent(
  read: ReadBytes,
  size: number,
  detected: DetectedFile,
): CheckedFile | Refusal {
  const pixels = statedPixels(read, size, detected);
  if (pixels > PHOTO_MAX_PIXELS) return refusalOf("image_too_large");
  const isVideo = detected.kind === "video";
  const film = isVideo ? videoFacts(read, size, detected.contentType) : null;
  if (film?.hasPictures === false) return refusalOf("file_audio");
  return holdsMetadata(read, size, detected) ? refusalOf("metadata") : { detected, size, film };
}

/** Unused names for this user's files: the next one in a millisecond takes the one after. */
export function freshNames(app: CoreApp, userId: string, extension: string) {
  let time = Date.now();
  app.store().setFunc(`names.${userId}`, (last: unknown) => {
    time = Math.max(time, Number(last ?? 0) + 1);
    return time;
  });
  return storedNames(userId, time, extension);
}

/** A file of the form, to be stored under `name`. */
export function renamed(file: filesystem.File, name: string): filesystem.File {
  file.name = name;
  file.originalName = name;
  return file;
}

/**
 * Saves `row` with the upload as its `field`. It skips the schema's validation, whose 5 MB protect
 * the ordinary routes; everything else that it checks was checked here.
 */
export function saveWithFile(
  app: CoreApp,
  row: core.Record,
  field: "file" | "image",
  placement: Placement,
): void {
  const placed = placeFile(app, row, placement);
  row.set(field, placed.value);
  try {
    app.saveNoValidate(row);
  } catch (error) {
    placed.undo();
    throw error;
  }
}

const FOLDER_MODE = 0o755 as unknown as os.FileMode;
const FILE_MODE = 0o644 as unknown as os.FileMode;

interface Placement {
  uploadId: string;
  name: string;
  contentType: string;
}

interface Placed {
  /** For the record's file field. */
  value: string | filesystem.File;
  /** Puts the bytes back when the record could not be saved. */
  undo: () => void;
}

/** PocketBase's local storage keeps this beside each file, and serves the content type from it. */
const attributes = ({ name, contentType }: Placement): string =>
  JSON.stringify({
    "user.cache_control": "",
    "user.content_disposition": "",
    "user.content_encoding": "",
    "user.content_language": "",
    "user.content_type": contentType,
    "user.metadata": { "original-filename": name },
    md5: null,
  });

function removeQuietly(path: string): void {
  try {
    $os.remove(path);
  } catch {
    // It does not exist, or it is a folder with other files.
  }
}

/** Null where the bytes cannot be moved. */
function move(app: CoreApp, row: core.Record, placement: Placement): Placed | null {
  const source = partialPath(app, placement.uploadId);
  const folder = $filepath.join(app.dataDir(), "storage", row.baseFilesPath());
  const target = $filepath.join(folder, placement.name);
  const undo = (): void => {
    removeQuietly(`${target}.attrs`);
    try {
      $os.rename(target, source);
    } catch {
      // It was never moved.
    }
    removeQuietly(folder);
  };
  try {
    $os.mkdirAll(folder, FOLDER_MODE);
    $os.writeFile(`${target}.attrs`, attributes(placement), FILE_MODE);
    $os.rename(source, target);
    return { value: placement.name, undo };
  } catch (error) {
    undo();
    app.logger().info("copying an upload that cannot be moved", "error", String(error));
    return null;
  }
}

/**
 * Makes the upload the stored file of `row`, whose id is set. Save the row next, or undo. On this
 * machine's disk the bytes are moved: that takes no time and no second copy. Where files are in S3
 * or on another disk, PocketBase copies them.
 */
function placeFile(app: CoreApp, row: core.Record, placement: Placement): Placed {
  const moved = app.settings().s3.enabled ? null : move(app, row, placement);
  if (moved) return moved;
  const file = $filesystem.fileFromPath(partialPath(app, placement.uploadId));
  file.name = placement.name;
  file.originalName = placement.name;
  return { value: file, undo: () => undefined };
}
