/**
 * What a file is, by its bytes alone (architecture, "Types are detected, never believed"). Runs in the
 * browser, in the service worker and in the server's engine (no URL, no TextEncoder there).
 */
export type MediaKind = "photo" | "video";

export interface DetectedFile {
  kind: MediaKind;
  contentType: string;
  /** Stored extension, without a dot. */
  extension: string;
}

/** Bytes of the beginning that `detectFile` needs. */
export const DETECT_BYTES = 64;

/** The type of a file from its first `DETECT_BYTES` bytes, or null when it is none that we store. */
export function detectFile(_head: ArrayLike<number>): DetectedFile | null {
  throw new Error("not written yet");
}
