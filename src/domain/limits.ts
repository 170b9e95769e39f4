/**
 * Every number of the product that both sides obey. Sources: specification §5 and §9, and the data
 * contract in docs/data-contract.md. 1 MB is 1,048,576 bytes.
 */
export const MB = 1_048_576;

/** Largest photo, bytes (specification §5). */
export const IMAGE_MAX_BYTES = 5 * MB;
/** Largest video, bytes (specification §5). */
export const VIDEO_MAX_BYTES = 200 * MB;
/** Largest profile picture, bytes (specification §5). */
export const PROFILE_PICTURE_MAX_BYTES = 2 * MB;
/** Largest thumbnail or preview a client may send along, bytes. */
export const RENDITION_MAX_BYTES = 2 * MB;

/** Width times height: beyond it a server that draws a picture runs out of memory. Phones stay below. */
export const PHOTO_MAX_PIXELS = 64_000_000;
/** The same for a thumbnail or preview; the largest that we make has a third of it. */
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
/** Bytes in UTF-8. bcrypt ignores what lies behind 72; PocketBase refuses more than 71 characters. */
export const PASSWORD_MAX = 71;

export const CAPTION_MAX = 2200;
export const TAGS_MAX = 30;
export const TAG_MAX = 50;
export const ALT_MAX = 1000;
export const COMMENT_MAX = 2000;
export const MESSAGE_MAX = 4000;
export const REASON_MAX = 1000;
export const SETTINGS_CONTENT_MAX_BYTES = 100 * 1024;

/** Gallery and profile page size; "Load more" adds as many (specification §9). */
export const PAGE_SIZE = 30;
/** A public profile fetches at most so many media and reveals so many a step (specification §9). */
export const PROFILE_MEDIA_MAX = 500;
export const PROFILE_STEP = 6;
/** Default of the service operations for latest and user media (specification §7, §9). */
export const SERVICE_PAGE_SIZE = 20;
/** Messages a conversation opens with (specification §7). */
export const MESSAGES_PAGE_SIZE = 50;

/** The admin panel: media on entry and shown at first (specification §9), and rows of its other lists on one page. */
export const ADMIN_MEDIA_PAGE = 50;
export const ADMIN_MEDIA_SHOWN = 20;
export const ADMIN_PAGE = 50;

/** Newest media a first pull takes, and how many rows the replica keeps at most. */
export const REPLICA_FIRST_MEDIA = 300;
export const REPLICA_MAX_MEDIA = 5000;

/** Chunk of a resumable upload, bytes: one request may last five minutes at most. */
export const UPLOAD_CHUNK_BYTES = 5 * MB;

/** Milliseconds (specification §4, §9). */
export const AUTH_FALLBACK_MS = 2_000;
export const SESSION_CHECK_MS = 15_000;
export const UNREAD_POLL_MS = 30_000;
export const UPLOAD_TICK_MS = 200;
export const UPLOAD_RELOAD_MS = 1_000;
export const UPLOAD_REDIRECT_MS = 2_000;
/** A simulated or real bar never passes this before the server's answer, percent (specification §4). */
export const UPLOAD_PROGRESS_CAP = 90;
/** Online time after which a request or an upload gives up retrying by itself (specification §9). */
export const OPERATION_RETRY_MS = 2 * 60_000;
export const UPLOAD_RETRY_MS = 10 * 60_000;

/**
 * How long an answer of the server stands before a read asks again, milliseconds (specification §9, "Cache lifetimes").
 * Between two questions the replica answers, which follows the feed by itself.
 */
export const LIFETIMES_MS = {
  user: 5 * 60_000,
  mediaList: 2 * 60_000,
  medium: 5 * 60_000,
  comments: 60_000,
} as const;

/** A view counts once per viewer and medium in this time, milliseconds. */
export const VIEW_WINDOW_MS = 30 * 60_000;

/** Pixels below which the layout is the phone's (specification §9). */
export const MOBILE_BREAKPOINT = 768;
/** `theme-color` and `--background` of the two themes (specification §9). */
export const THEME_COLORS = { light: "#ffffff", dark: "#0f172a" } as const;
