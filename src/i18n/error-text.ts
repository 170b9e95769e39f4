/** The one place where an error code becomes a sentence (specification §8). */
import type { ErrorCode } from "@/domain/error-codes";
import type { Text, TextKey } from "./keys";

export const errorKey = (code: ErrorCode): TextKey => `errors.${code}`;

/** Codes that say only that something went wrong, which a screen says better in its own words. */
const GENERAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["invalid", "server", "internal"]);

/**
 * Why the server said no: by its code alone, because its sentences are in a language of their own.
 * `otherwise` where the code tells nothing, or none came.
 */
export const refusalText = (code: ErrorCode | null, otherwise: TextKey): Text => ({
  key: code === null || GENERAL.has(code) ? otherwise : errorKey(code),
});

/** What the codes say between two people who chat (specification §5). */
const CHAT_KEYS: Partial<Record<ErrorCode, TextKey>> = {
  blocked: "chat.blockedEither",
  self: "chat.self",
};

export const chatRefusalText = (code: ErrorCode | null, otherwise: TextKey): Text => {
  const own = code === null ? undefined : CHAT_KEYS[code];
  return own === undefined ? refusalText(code, otherwise) : { key: own };
};

/** The same for a chat that does not begin: who is not found then is the other person. */
export function chatStartText(code: ErrorCode | null): Text {
  if (code === "not_found" || code === "gone") return { key: "people.notFound" };
  // The server's trouble is not that of two people who do not follow each other.
  return code === "server"
    ? { key: "errors.server" }
    : chatRefusalText(code, "errors.mutual_follow");
}

/** Errors with a sentence that helps more than "Upload fehlgeschlagen". */
const WITH_OWN_SENTENCE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "image_too_large",
  "video_too_large",
  "too_many_pixels",
  "animation_too_large",
  "cannot_shrink",
  "too_large",
  "file_empty",
  "file_type",
  "file_raw",
  "file_video",
  "file_heic",
  "file_unreadable",
  "file_audio",
  "converter_missing",
  "file_broken",
  "metadata",
  "caption_long",
  "tags_many",
  "tag_long",
  "post_full",
  "post_taken",
  "post_foreign",
  "image_load_failed",
  "canvas_unavailable",
  "thumbnail_failed",
  "rate_limited",
  "unverified",
  "suspended",
]);

function uploadErrorKey(code: ErrorCode): TextKey {
  switch (code) {
    case "unauthenticated":
      return "uploadErrors.unauthorized";
    case "forbidden":
      return "uploadErrors.permission";
    case "canceled":
      return "uploadErrors.canceled";
    case "quota":
      return "uploadErrors.quota";
    case "storage_full":
      return "uploadErrors.serverFull";
    case "file_missing":
      return "uploadErrors.fileGone";
    case "timeout":
      return "uploadErrors.timeout";
    case "network":
      return "uploadErrors.network";
    default:
      return WITH_OWN_SENTENCE.has(code) ? errorKey(code) : "uploadErrors.other";
  }
}

/** Why a chosen file cannot be taken, before anything of it was sent. */
export const fileFaultKey = (code: ErrorCode): TextKey =>
  code === "file_missing" ? "uploadErrors.fileGone" : errorKey(code);

/** A server's sentence with 'zu groß' passes (specification §8), in the reader's words. */
export const uploadErrorText = (code: ErrorCode, message = ""): Text => ({
  key: message.includes("zu groß") ? "errors.too_large" : uploadErrorKey(code),
});
