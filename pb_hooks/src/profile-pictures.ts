/** Profile pictures: what they are is read from their bytes, and their stored names are ours. */
import type { ErrorCode } from "@/domain/error-codes";
import { PROFILE_PICTURE_MAX_BYTES } from "@/domain/limits";
import { DETECT_BYTES, detectFile } from "@/domain/media-files";
import { storedNames } from "@/domain/stored-names";

const FIELDS = ["profilePicture", "profileThumbnail"] as const;
type Field = (typeof FIELDS)[number];

function headOf(file: filesystem.File): number[] {
  const reader = file.reader?.open();
  try {
    return toBytes(reader, DETECT_BYTES) as unknown as number[];
  } finally {
    reader?.["close"]();
  }
}

/** Gives `file` a name of ours, or says what is wrong with it. */
function nameFile(file: filesystem.File, field: Field, owner: string, time: number) {
  if (file.size === 0) return "file_empty";
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return "too_large";
  const detected = detectFile(headOf(file));
  if (detected?.kind !== "photo") return "file_type";
  const names = storedNames(owner, time, detected.extension);
  const thumbnail = names.thumbnail.replace(/jpg$/, detected.extension);
  file.name = field === "profilePicture" ? names.file : thumbnail;
  return null;
}

/** Names the new pictures of `record`, at `time` in milliseconds; or the first fault. */
export function pictureFault(
  record: core.Record,
  time: number,
): { field: Field; code: ErrorCode } | null {
  for (const field of FIELDS) {
    for (const file of record.getUnsavedFiles(field)) {
      const code = file ? nameFile(file, field, record.id, time) : null;
      if (code !== null) return { field, code };
    }
  }
  return null;
}
