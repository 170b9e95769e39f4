/** Profile pictures: what they are is read from their bytes, and their stored names are ours. */
import type { ErrorCode } from "@/domain/error-codes";
import { judgeProfilePicture } from "@/domain/profile-pictures";
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
    const judged = judgeProfilePicture(read, file.size);
    return "code" in judged ? judged.code : judged.detected;
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
