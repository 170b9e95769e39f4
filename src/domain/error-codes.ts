/** Stable codes for all that can go wrong. Outbox rows store them: add codes, never rename. */
export const ERROR_CODES = [
  // The network, or something that is not our server.
  "network",
  "timeout",
  "rate_limited",
  "server",
  // A fault of the app itself.
  "internal",
  // The session.
  "unauthenticated",
  "forbidden",
  "suspended",
  "unknown_email",
  "wrong_password",
  "code_required",
  "code_wrong",
  "link_expired",
  "unverified",
  // Input.
  "invalid",
  "email_required",
  "email_invalid",
  "email_taken",
  "username_required",
  "username_short",
  "username_long",
  "username_spaces",
  "username_characters",
  "username_taken",
  "password_required",
  "password_short",
  "password_long",
  "password_weak",
  "password_common",
  "password_mismatch",
  "terms_required",
  "caption_long",
  "tags_many",
  "follows_many",
  "replies_many",
  "saves_many",
  "folders_many",
  "mutes_many",
  "edit_late",
  "comments_closed",
  "tag_long",
  "post_full",
  "post_taken",
  "post_foreign",
  "text_empty",
  "text_long",
  // Files.
  "file_missing",
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
  "too_large",
  "image_too_large",
  "video_too_large",
  "too_many_pixels",
  "animation_too_large",
  "cannot_shrink",
  "quota",
  "storage_full",
  "canceled",
  "image_load_failed",
  "canvas_unavailable",
  "thumbnail_failed",
  // The state of things.
  "not_found",
  "gone",
  "duplicate",
  "conflict",
  "own_media",
  "own_report",
  "self",
  "blocked",
  "chat_disabled",
  "mutual_follow",
  "not_participant",
  "not_sender",
  "no_conversation",
  "no_message",
  "last_admin",
  "append_only",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export const isErrorCode = (word: unknown): word is ErrorCode =>
  typeof word === "string" && (ERROR_CODES as readonly string[]).includes(word);

/** The server's final no, as it goes over the wire. */
export interface Refusal {
  status: number;
  code: ErrorCode;
  /** The specification's sentence where it names one, otherwise a plain English one. */
  message: string;
  data?: Record<string, { code: string; message: string }>;
}

export function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== "object" || value === null) return false;
  const { status, code } = value as Partial<Record<keyof Refusal, unknown>>;
  return typeof status === "number" && isErrorCode(code);
}
