/**
 * Final answers as data: what each word of ours means on the wire, and the way from an exception to it. Inside a
 * transaction a handler throws `refused(code)`, which rolls it back; the guard around the request answers with it.
 */
import { type ErrorCode, isErrorCode } from "@/domain/error-codes";
import { isOutage } from "./outage";
import { NOT_FOUND, type Refusal } from "./refuse";

/** Status and sentence by word; the specification's sentence where it names one. */
const REFUSALS: Partial<Record<ErrorCode, [status: number, message: string]>> = {
  unauthenticated: [401, "Please sign in."],
  forbidden: [403, "Keine Berechtigung für diese Aktion."],
  suspended: [403, "Login failed"],
  unknown_email: [400, "No account found with this email address"],
  wrong_password: [400, "Incorrect password"],
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
  password_mismatch: [400, "Passwords do not match"],
  terms_required: [400, "You must accept the terms and conditions"],
  caption_long: [400, "Caption can have at most 2200 characters"],
  tags_many: [400, "At most 30 tags"],
  tag_long: [400, "A tag can have at most 50 characters"],
  text_empty: [400, "Text is required"],
  text_long: [400, "Text is too long"],
  file_type: [400, "Nur Bilddateien sind als Profilbild erlaubt."],
  file_empty: [400, "The file is empty."],
  file_broken: [400, "The file is damaged or incomplete."],
  too_large: [400, "Profilbild darf maximal 2MB groß sein."],
  gone: [404, "This is no longer there."],
  duplicate: [400, "This stands already."],
  conflict: [409, "Somebody else changed this meanwhile."],
  own_media: [403, "You cannot report your own media."],
  self: [400, "You cannot do this to yourself."],
  blocked: [403, "This is not possible: one of you has blocked the other."],
  chat_disabled: [403, "Chat access disabled for user."],
  mutual_follow: [403, "Beide Benutzer müssen sich gegenseitig folgen, um einen Chat zu starten"],
  not_participant: [403, "User not part of this conversation"],
  not_sender: [403, "Can only delete your own messages"],
  last_admin: [403, "The last admin must stay one."],
  append_only: [403, "The audit log cannot be changed."],
};

/** What a block says where people write to each other. */
export const CHAT_BLOCKED = "Chat mit blockiertem Benutzer nicht möglich";
const CHAT = ["conversations", "messages"];

export function refusalOf(code: ErrorCode, message?: string): Refusal {
  const [status, text] = REFUSALS[code] ?? [400, code];
  return { status, code, message: message ?? text };
}

/** The exception that becomes `refusalOf(code)`. It survives the way through the database's layers as its message. */
export const refused = (code: ErrorCode): ApiError => new ApiError(400, `refused ${code}`);

interface Fault {
  code: string;
  message: string;
}
interface ApiFault {
  status: number;
  message: string;
  data: Record<string, Fault>;
  /** What lies behind it: a trigger's word, for one. Never sent. */
  cause: string;
}

/** PocketBase's own error inside a JavaScript exception, or null when it is something else. */
function apiFault(error: unknown): ApiFault | null {
  const inner = (error as { value?: unknown } | null)?.value ?? error;
  const { status, message, rawData } = inner as {
    status?: unknown;
    message?: unknown;
    rawData?: () => unknown;
  };
  if (typeof status !== "number" || typeof message !== "string") return null;
  const plain = JSON.parse(JSON.stringify(inner)) as { data?: Record<string, Fault> };
  return { status, message, data: plain.data ?? {}, cause: String(rawData?.() ?? "") };
}

/** `collection.field` and PocketBase's word for a fault, to ours. */
const FIELD_WORDS: Record<string, ErrorCode> = {
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
const WORDS: Record<string, ErrorCode> = {
  validation_not_unique: "duplicate",
  validation_pk_invalid: "duplicate",
  validation_max_text_constraint: "text_long",
  validation_file_size_limit: "too_large",
  validation_invalid_mime_type: "file_type",
  validation_missing_rel_records: "gone",
};

const STATUS_WORDS: Record<number, ErrorCode> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  429: "rate_limited",
};

/** What the client is told about `error`, which was thrown while `collection` was written. Null: not ours to translate. */
export function refusalFromError(error: unknown, collection: string): Refusal | null {
  const fault = apiFault(error);
  if (fault === null) return null;
  const word = /^refused (\w+)\.?$/i.exec(fault.message)?.[1];
  if (isErrorCode(word)) {
    const isChat = word === "blocked" && CHAT.includes(collection);
    return refusalOf(word, isChat ? CHAT_BLOCKED : undefined);
  }
  if (isOutage(error)) return { status: 503, code: "server", message: "The server is busy." };
  const raised = /last_admin|append_only/.exec(fault.cause)?.[0];
  if (isErrorCode(raised)) return refusalOf(raised);
  if (fault.status === 404) return NOT_FOUND;
  const [field, first] = Object.entries(fault.data)[0] ?? [];
  const own = first && (FIELD_WORDS[`${collection}.${field} ${first.code}`] ?? WORDS[first.code]);
  return {
    status: fault.status,
    code: own ?? STATUS_WORDS[fault.status] ?? "invalid",
    message: fault.message,
    data: fault.data,
  };
}
