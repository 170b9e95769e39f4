/**
 * Names of stored files (specification §7, "Storage layout"): `{userId}_{time}.{ext}` and
 * `thumb_{userId}_{time}.jpg` inside the record's own folder; a preview is `preview_{userId}_{time}.{ext}`.
 */
export interface StoredNames {
  file: string;
  thumbnail: string;
  /** Without its extension: it is of a type of its own. */
  preview: string;
}

/** `time` in milliseconds; `extension` without a dot, from the bytes and never from the client's name. */
export function storedNames(userId: string, time: number, extension: string): StoredNames {
  const stem = `${userId}_${time}`;
  return {
    file: `${stem}.${extension}`,
    thumbnail: `thumb_${stem}.jpg`,
    preview: `preview_${stem}`,
  };
}
