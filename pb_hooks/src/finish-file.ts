/**
 * A complete upload becomes a stored file: its type found out from its bytes, its size held against that type's
 * limit, its name made by us. Nothing of what the client said about it counts.
 */
import { IMAGE_MAX_BYTES, PHOTO_MAX_PIXELS, VIDEO_MAX_BYTES } from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile, fileFault } from "@/domain/media-files";
import { statedPixels } from "@/domain/picture-size";
import { type StoredNames, storedNames } from "@/domain/stored-names";
import { openPartialAt, partialSize } from "./partial-files";
import { type Placing, placeFile } from "./place-file";
import type { Refusal } from "./refuse";
import { refusalOf } from "./refused";
import { FILE_EMPTY, IMAGE_TOO_LARGE, VIDEO_TOO_LARGE } from "./upload-quota";

export interface CheckedFile {
  detected: DetectedFile;
  /** Bytes. */
  size: number;
}

/** Faults of the file itself: no retry can heal them, so the upload goes. */
export const FILE_TYPE: Refusal = {
  ...refusalOf("file_type", "This kind of file cannot be stored."),
  status: 415,
};
export const FILE_BROKEN: Refusal = refusalOf("file_broken", "The file is damaged or incomplete.");

/** The complete upload's file, or why it cannot be stored. */
export function checkFile(app: CoreApp, uploadId: string): CheckedFile | Refusal {
  const size = partialSize(app, uploadId);
  if (size === 0) return FILE_EMPTY;
  return openPartialAt(app, uploadId, 0, (file) => {
    const read = (offset: number, length: number): number[] => {
      file.seek(offset, 0);
      return toBytes(file, length);
    };
    const detected = detectFile(read(0, DETECT_BYTES));
    if (detected === null) return FILE_TYPE;
    if (detected.kind === "photo" && size > IMAGE_MAX_BYTES) return IMAGE_TOO_LARGE;
    if (size > VIDEO_MAX_BYTES) return VIDEO_TOO_LARGE;
    if (fileFault(read, size, detected) !== null) return FILE_BROKEN;
    const pixels = statedPixels(read, size, detected);
    return pixels > PHOTO_MAX_PIXELS ? IMAGE_TOO_LARGE : { detected, size };
  });
}

/** Names that this user's files have not had: within one millisecond the next one takes the millisecond after. */
export function freshNames(app: CoreApp, userId: string, extension: string): StoredNames {
  let time = Date.now();
  app.store().setFunc(`names.${userId}`, (last: unknown) => {
    time = Math.max(time, Number(last ?? 0) + 1);
    return time;
  });
  return storedNames(userId, time, extension);
}

/** A part of the form as a file to store under `name`. */
export function renamed(file: filesystem.File, name: string): filesystem.File {
  file.name = name;
  file.originalName = name;
  return file;
}

/**
 * Saves `row` with the upload as its `field`. Without the schema's validation: its 5 MB guards the ordinary routes, and
 * everything else it would check was checked here.
 */
export function saveWithFile(
  app: CoreApp,
  row: core.Record,
  field: "file" | "image",
  placing: Placing,
): void {
  const placed = placeFile(app, row, placing);
  row.set(field, placed.value);
  try {
    app.saveNoValidate(row);
  } catch (error) {
    placed.undo();
    throw error;
  }
}
