/** Numbers that both sides obey, from specification §5 and §9 and docs/data-contract.md. */
export const MB = 1_048_576;

/** Largest files in bytes (specification §5). */
export const IMAGE_MAX_BYTES = 5 * MB;
export const VIDEO_MAX_BYTES = 200 * MB;
export const PROFILE_PICTURE_MAX_BYTES = 2 * MB;
/** Largest thumbnail or preview, bytes. */
export const RENDITION_MAX_BYTES = 2 * MB;

/** Width times height. Larger pictures exhaust the server's memory; phones make smaller ones. */
export const PHOTO_MAX_PIXELS = 64_000_000;
/** The same for a thumbnail or preview; our largest has a third of it. */
export const RENDITION_MAX_PIXELS = 5_000_000;

/** Thumbnail edge in pixels and JPEG quality (specification §7 and §9). */
export const THUMBNAIL_EDGE = 300;
export const THUMBNAIL_QUALITY = 0.8;
/** Longest edge of the preview that the feed shows, pixels. */
export const PREVIEW_EDGE = 1280;

export const USERNAME_MIN = 3;
export const USERNAME_MAX = 64;
export const BIO_MAX = 500;
/** Sign-up asks for 8, a later change for 6 (specification §5, §9). */
export const PASSWORD_MIN_SIGNUP = 8;
export const PASSWORD_MIN_CHANGE = 6;
/** Bytes in UTF-8. bcrypt ignores all after 72; PocketBase refuses more than 71 characters. */
export const PASSWORD_MAX = 71;

export const CAPTION_MAX = 2200;
export const TAGS_MAX = 30;
/** Photos and videos under one caption. */
export const POST_MAX = 10;
export const TAG_MAX = 50;
/** Tags that one person follows. */
export const FOLLOWED_TAGS_MAX = 100;
/** People and words that one person mutes, together. */
export const MUTES_MAX = 500;
/** Of a muted word. */
export const WORD_MAX = 50;
/** Of one person, with the folders. */
export const SAVES_MAX = 5_000;
export const FOLDERS_MAX = 100;
export const FOLDER_NAME_MAX = 50;
/** Of one comment. They go with it, in one step. */
export const REPLIES_MAX = 1_000;
export const ALT_MAX = 1000;
export const COMMENT_MAX = 2000;
/** For so long its author may change a comment, milliseconds. */
export const COMMENT_EDIT_MS = 15 * 60_000;
/** So many of those whom a text names are told of it, the first ones. */
export const MENTIONS_MAX = 10;
export const MESSAGE_MAX = 4000;
export const REASON_MAX = 1000;
/** A suspension that ends by itself. */
export const SUSPENSION_DAYS_MAX = 366;
export const SETTINGS_CONTENT_MAX_BYTES = 100 * 1024;

/** Gallery and profile page size; "Load more" adds as many (specification §9). */
export const PAGE_SIZE = 30;
/** Media that a public profile loads at most, and shows per step (specification §9). */
export const PROFILE_MEDIA_MAX = 500;
export const PROFILE_STEP = 6;
/** Default of the service operations for latest and user media (specification §7, §9). */
export const SERVICE_PAGE_SIZE = 20;
/** Messages that a conversation opens with (specification §7). */
export const MESSAGES_PAGE_SIZE = 50;

/** The admin panel: media loaded and shown at first (specification §9), and rows of other lists. */
export const ADMIN_MEDIA_PAGE = 50;
export const ADMIN_MEDIA_SHOWN = 20;
export const ADMIN_PAGE = 50;

/** Media of a first pull, and how many the replica keeps at most. */
export const REPLICA_FIRST_MEDIA = 300;
export const REPLICA_MAX_MEDIA = 5000;

/** Chunk of a resumable upload, bytes: a request may take five minutes at most. */
export const UPLOAD_CHUNK_BYTES = 5 * MB;

/** Milliseconds (specification §4, §9). */
export const AUTH_FALLBACK_MS = 2_000;
export const SESSION_CHECK_MS = 15_000;
export const UNREAD_POLL_MS = 30_000;
export const UPLOAD_TICK_MS = 200;
export const UPLOAD_RELOAD_MS = 1_000;
export const UPLOAD_REDIRECT_MS = 2_000;
/** Percent that a progress bar shows at most before the server's answer (specification §4). */
export const UPLOAD_PROGRESS_CAP = 90;
/** Online time after which a request or an upload stops retrying (specification §9). */
export const OPERATION_RETRY_MS = 2 * 60_000;
export const UPLOAD_RETRY_MS = 10 * 60_000;

/** A viewer's views of a medium count once in this time, milliseconds. */
export const VIEW_WINDOW_MS = 30 * 60_000;

/** Narrower windows have the phone's layout, pixels (specification §9). */
export const MOBILE_BREAKPOINT = 768;
/** `theme-color` and `--background` of the two themes (specification §9). */
export const THEME_COLORS = { light: "#ffffff", dark: "#0f172a" } as const;
