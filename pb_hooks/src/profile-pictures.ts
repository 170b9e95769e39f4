/** Profile pictures: what they are is read from their bytes, and their stored names are ours. */
import type { ErrorCode } from "@/domain/error-codes";
import { PHOTO_MAX_PIXELS, PROFILE_PICTURE_MAX_BYTES } from "@/domain/limits";
import { DETECT_BYTES, detectFile, fileFault } from "@/domain/media-files";
import { statedPixels } from "@/domain/picture-size";
import { storedNames } from "@/domain/stored-names";

const FIELDS = ["profilePicture", "profileThumbnail"] as const;
type Field = (typeof FIELDS)[number];

/** The methods that the generated types leave out. */
interface Seekable {
  seek: (offset: number, whence: number) => number;
  close: () => void;
}

/** What `file` is, by its bytes, or what is wrong with it. */
function judge(file: filesystem.File): { extension: string } | ErrorCode {
  const reader = file.reader.open() as unknown as Seekable;
  try {
    const read = (offset: number, length: number): number[] => {
      reader.seek(offset, 0);
      return toBytes(reader, length);
    };
    const detected = detectFile(read(0, DETECT_BYTES));
    if (detected?.kind !== "photo") return "file_type";
    const fault = fileFault(read, file.size, detected);
    if (fault !== null) return fault;
    return statedPixels(read, file.size, detected) > PHOTO_MAX_PIXELS ? "too_large" : detected;
  } finally {
    reader.close();
  }
}

/** Gives `file` a name of ours, or says what is wrong with it. */
function nameFile(
  file: filesystem.File,
  field: Field,
  owner: string,
  time: number,
): ErrorCode | null {
  if (file.size === 0) return "file_empty";
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return "too_large";
  const judged = judge(file);
  if (typeof judged === "string") return judged;
  const names = storedNames(owner, time, judged.extension);
  const thumbnail = names.thumbnail.replace(/jpg$/, judged.extension);
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
