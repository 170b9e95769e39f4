/** The one place where an error code becomes a sentence (specification §8). */
import type { ErrorCode } from "@/domain/error-codes";
import type { Text, TextKey } from "./keys";

export const errorKey = (code: ErrorCode): TextKey => `errors.${code}`;

/** The server's own sentence; ours where it sent none. */
export const serverText = (message: string, otherwise: TextKey): Text =>
  message === "" ? { key: otherwise } : { raw: message };

/** Errors with a sentence that helps more than "Upload fehlgeschlagen". */
const WITH_OWN_SENTENCE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "image_too_large",
  "video_too_large",
  "too_large",
  "file_missing",
  "file_empty",
  "file_type",
  "file_heic",
  "file_broken",
  "caption_long",
  "tags_many",
  "tag_long",
  "image_load_failed",
  "canvas_unavailable",
  "thumbnail_failed",
  "rate_limited",
]);

function uploadErrorKey(code: ErrorCode): TextKey {
  switch (code) {
    case "unauthenticated":
      return "uploadErrors.unauthorized";
    case "forbidden":
    case "suspended":
      return "uploadErrors.permission";
    case "canceled":
      return "uploadErrors.canceled";
    case "quota":
    case "storage_full":
      return "uploadErrors.quota";
    case "timeout":
      return "uploadErrors.timeout";
    case "network":
      return "uploadErrors.network";
    default:
      return WITH_OWN_SENTENCE.has(code) ? errorKey(code) : "uploadErrors.other";
  }
}

/** A failed upload: the server's sentence if it says 'zu groß' (specification §8), else ours. */
export function uploadErrorText(code: ErrorCode, message = ""): Text {
  return message.includes("zu groß") ? { raw: message } : { key: uploadErrorKey(code) };
}
