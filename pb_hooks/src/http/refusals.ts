/**
 * How a request is turned down. A refusal is PocketBase's error shape with a code of ours (data
 * contract). There are three ways to one: a handler answers it with `refuse`, throws
 * `refusalError` inside a transaction, or PocketBase throws and `refusalFromError` translates.
 *
 * Apart from these are outages: the database or the store of files could not answer. PocketBase
 * makes a 400, 401 or 404 of one, and a device would then give up what it has queued. So every
 * outage must become a 503.
 */
import { type ErrorCode, isErrorCode, type Refusal } from "@/domain/error-codes";

/** Seconds after which to ask a busy server again; a device does not count them as trying. */
export const RETRY_AFTER = "3";

/** Status and message by code; the specification's sentence where it names one. */
const REFUSALS: Partial<Record<ErrorCode, [status: number, message: string]>> = {
  rate_limited: [429, "Too many attempts. Please wait a moment before trying again."],
  unauthenticated: [401, "Please sign in."],
  forbidden: [403, "Keine Berechtigung für diese Aktion."],
  suspended: [403, "Login failed"],
  unknown_email: [400, "No account found with this email address"],
  wrong_password: [400, "Incorrect password"],
  code_required: [401, "A code is on its way to your mailbox."],
  code_wrong: [400, "This code is wrong or too old."],
  link_expired: [400, "This link is too old, or was used already."],
  unverified: [403, "Please confirm your e-mail address first. Then try again."],
  invalid: [400, "Something is wrong with this request."],
  email_required: [400, "Email is required"],
  email_invalid: [400, "Please enter a valid email address"],
  email_taken: [400, "This email address is already registered"],
  username_required: [400, "Username is required"],
  username_short: [400, "Username must be at least 3 characters long"],
  username_long: [400, "Username can have at most 64 characters"],
  username_spaces: [400, "Username cannot contain spaces"],
  username_characters: [
    400,
    "Username can only contain letters, numbers, dots, hyphens and underscores",
  ],
  username_taken: [400, "This username is already taken."],
  password_required: [400, "Password is required"],
  password_short: [400, "Passwort muss mindestens 8 Zeichen lang sein"],
  password_long: [400, "Password can have at most 71 characters"],
  password_weak: [400, "Password is too weak. Please choose a stronger password."],
  password_common: [400, "Too many people use this password. Please choose another one."],
  password_mismatch: [400, "Passwords do not match"],
  terms_required: [400, "You must accept the terms and conditions"],
  caption_long: [400, "Caption can have at most 2200 characters"],
  tags_many: [400, "At most 30 tags"],
  follows_many: [400, "One may follow at most 100 tags"],
  saves_many: [400, "One may save at most 5,000 photos and videos"],
  mutes_many: [400, "One may mute at most 500 people and words"],
  folders_many: [400, "One may have at most 100 folders"],
  replies_many: [400, "A comment may have at most 1,000 replies"],
  comments_closed: [403, "The comments are closed"],
  edit_late: [400, "A comment can be changed for 15 minutes"],
  tag_long: [400, "A tag can have at most 50 characters"],
  post_full: [400, "A post holds at most ten photos and videos."],
  post_taken: [409, "Another photo or video has this place in the post."],
  post_foreign: [403, "This post belongs to somebody else."],
  text_empty: [400, "Text is required"],
  text_long: [400, "Text is too long"],
  image_too_large: [413, "Image is too large (max. 5MB)"],
  video_too_large: [413, "Video is too large (max. 200MB)"],
  quota: [413, "Speicherplatz überschritten"],
  storage_full: [507, "Speicherplatz überschritten"],
  file_type: [400, "Nur Bilddateien sind als Profilbild erlaubt."],
  file_empty: [400, "The file is empty."],
  file_audio: [400, "The file holds sound without pictures."],
  file_broken: [400, "The file is damaged or incomplete."],
  metadata: [400, "The file still says where, when or with what it was made. Take that out of it."],
  too_large: [400, "Profilbild darf maximal 2MB groß sein."],
  not_found: [404, "The requested resource wasn't found."],
  gone: [404, "This is no longer there."],
  duplicate: [400, "This stands already."],
  conflict: [409, "Somebody else changed this meanwhile."],
  own_media: [403, "You cannot report your own media."],
  own_report: [403, "You cannot report yourself, or what you wrote."],
  self: [400, "You cannot do this to yourself."],
  blocked: [403, "This is not possible: one of you has blocked the other."],
  chat_disabled: [403, "Chat access disabled for user."],
  mutual_follow: [403, "Beide Benutzer müssen sich gegenseitig folgen, um einen Chat zu starten"],
  not_participant: [403, "User not part of this conversation"],
  not_sender: [403, "Can only delete your own messages"],
  no_conversation: [404, "Conversation not found"],
  no_message: [404, "Message not found"],
  last_admin: [403, "The last admin must stay one."],
  append_only: [403, "The audit log cannot be changed."],
};

export function refusalOf(code: ErrorCode, message?: string): Refusal {
  const [status, text] = REFUSALS[code] ?? [400, code];
  return { status, code, message: message ?? text };
}

export const NOT_FOUND = refusalOf("not_found");

/**
 * Answers `body`, whole. PocketBase would apply `?fields=` to it, and a negative excerpt there is a
 * panic that costs the pool an engine.
 */
export function answer(e: core.RequestEvent, status: number, body: unknown): void {
  if (e.request?.url) e.request.url.rawQuery = "";
  e.json(status, body);
}

/** Removes an impossible excerpt from a request that PocketBase itself will answer. */
export function dropBadFields(e: core.RequestEvent): void {
  const url = e.request?.url;
  if (url && hasBadFields(url.query().get("fields"))) url.rawQuery = "";
}

/** Whether `?fields=` asks for an excerpt that PocketBase cannot cut. */
export const hasBadFields = (fields: string): boolean =>
  /excerpt\((?!\s*0*[1-9]\d{0,8}\s*[,)])/.test(fields);

/** Answers `refusal`. A thrown ApiError would lose the code and the punctuation of the message. */
export function refuse(e: core.RequestEvent, refusal: Refusal): void {
  const { status, code, message, data } = refusal;
  if (status === 503) e.response?.header().set("Retry-After", RETRY_AFTER);
  answer(e, status, { status, message, data: data ?? {}, code });
}

/** Thrown in a transaction it rolls back, and the guard around every write answers the refusal. */
export const refusalError = (code: ErrorCode): ApiError => new ApiError(400, `refused ${code}`);

/** The message of a block where people write to each other. */
export const CHAT_BLOCKED = "Chat mit blockiertem Benutzer nicht möglich";
const CHAT = ["conversations", "messages"];

interface FieldFault {
  code: string;
  message: string;
}
interface ApiFault {
  status: number;
  message: string;
  data: Record<string, FieldFault>;
  /** The underlying error, for example a trigger's message. Never sent. */
  cause: string;
}

/** The Go error inside a JavaScript exception. */
interface Inner {
  status?: unknown;
  message?: unknown;
  rawData?: () => unknown;
}

const innerOf = (error: unknown): Inner =>
  ((error as { value?: unknown } | null)?.value ?? error ?? {}) as Inner;

/** PocketBase's own error inside a JavaScript exception, or null when it is something else. */
function apiFault(error: unknown): ApiFault | null {
  const inner = innerOf(error);
  const { status, message } = inner;
  if (typeof status !== "number" || typeof message !== "string") return null;
  const plain = JSON.parse(JSON.stringify(inner)) as { data?: Record<string, FieldFault> };
  return { status, message, data: plain.data ?? {}, cause: String(inner.rawData?.() ?? "") };
}

/** `collection.field` and PocketBase's code for a fault, to our code. */
const FIELD_CODES: Record<string, ErrorCode> = {
  "users.email validation_not_unique": "email_taken",
  "users.email validation_required": "email_required",
  "users.email validation_is_email": "email_invalid",
  "users.username validation_not_unique": "username_taken",
  "users.username validation_required": "username_required",
  "users.password validation_required": "password_required",
  "users.password validation_min_text_constraint": "password_short",
  "users.password validation_max_text_constraint": "password_long",
  "users.passwordConfirm validation_required": "password_mismatch",
  "users.passwordConfirm validation_values_mismatch": "password_mismatch",
  "users.oldPassword validation_required": "wrong_password",
  "users.oldPassword validation_invalid_old_password": "wrong_password",
  "media.caption validation_max_text_constraint": "caption_long",
};

const FAULT_CODES: Record<string, ErrorCode> = {
  validation_not_unique: "duplicate",
  validation_pk_invalid: "duplicate",
  validation_max_text_constraint: "text_long",
  validation_file_size_limit: "too_large",
  validation_invalid_mime_type: "file_type",
  validation_missing_rel_records: "gone",
};

const STATUS_CODES: Record<number, ErrorCode> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  429: "rate_limited",
};

/** The refusal for `error`, thrown while `collection` was written. Null: not ours to translate. */
export function refusalFromError(error: unknown, collection: string): Refusal | null {
  const fault = apiFault(error);
  if (fault === null) return null;
  const thrown = /^refused (\w+)\.?$/i.exec(fault.message)?.[1];
  if (isErrorCode(thrown)) {
    const isChat = thrown === "blocked" && CHAT.includes(collection);
    return refusalOf(thrown, isChat ? CHAT_BLOCKED : undefined);
  }
  if (isOutage(error)) return BUSY_REFUSAL;
  const raised = /last_admin|append_only/.exec(fault.cause)?.[0];
  if (isErrorCode(raised)) return refusalOf(raised);
  if (fault.status === 404) return NOT_FOUND;
  const [field, first] = Object.entries(fault.data)[0] ?? [];
  const own =
    first && (FIELD_CODES[`${collection}.${field} ${first.code}`] ?? FAULT_CODES[first.code]);
  return {
    status: fault.status,
    code: own ?? STATUS_CODES[fault.status] ?? "invalid",
    message: fault.message,
    data: fault.data,
  };
}

/**
 * What SQLite, its driver and Go's pool say about locks, timeouts, disks, memory or files, and what
 * PocketBase says when a file does not get to where files lie, or does not go from there. A table
 * of ours is missing for a moment when the stream's program adds its own.
 */
const OUTAGE =
  /database (?:table |schema )?is locked|context (?:deadline exceeded|canceled)|\binterrupted\b|disk I\/O error|unable to open database|disk is full|out of memory|locking protocol|too many open files|database is closed|bad connection|no such table|failed to (?:upload|delete) all files/i;

/** PocketBase appends this to every query error except "no rows". */
const FAILED_QUERY = "failed query:";
const BUSY = 503;
const BUSY_MESSAGE = "The server is busy.";

const allTextOf = (error: unknown): string =>
  `${String(error)} ${String(innerOf(error).rawData?.() ?? "")}`;

/** A device tries it again, and counts no try. */
export const BUSY_REFUSAL: Refusal = { status: BUSY, code: "server", message: BUSY_MESSAGE };

export const busyError = (): ApiError => new ApiError(BUSY, BUSY_MESSAGE);

/** Whether `error`, or its cause, is a database or a store of files that could not answer. */
export const isOutage = (error: unknown): boolean =>
  innerOf(error).status === BUSY || OUTAGE.test(allTextOf(error));

/** The same for a look-up by id, where every fault except "no rows" is an outage. */
export const isFailedLookup = (error: unknown): boolean =>
  isOutage(error) || allTextOf(error).includes(FAILED_QUERY);
