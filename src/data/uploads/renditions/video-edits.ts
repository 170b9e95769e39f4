/** Writing over parts of a large file without reading the rest of it. */
import type { Bytes } from "./bytes";

/** Bytes to be written over those at `at`. */
export interface Edit {
  at: number;
  bytes: Bytes;
}

/** Reads `length` bytes from `offset`; fewer where the file ends. */
export type ReadVideo = (offset: number, length: number) => Bytes;

/** The edited file, as long as the given one and made of slices of it. An edit that overlaps another or the end is left out. */
export function applyEdits(file: Blob, edits: readonly Edit[], type: string): Blob {
  const parts: BlobPart[] = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    const end = edit.at + edit.bytes.length;
    if (edit.at < at || end > file.size) continue;
    parts.push(file.slice(at, edit.at), edit.bytes);
    at = end;
  }
  parts.push(file.slice(at));
  return new Blob(parts, { type });
}
