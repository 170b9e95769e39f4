/** Classifies each answer once: accepted, refused, or unknown (docs/architecture.md). */
import { type ErrorCode, isErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";
import { parseInstant } from "@/domain/times";

export type Answer = Accepted | Refusal | Unknown;

export interface Accepted {
  kind: "accepted";
  status: number;
  body: unknown;
}

/** JSON of our server's whose `status` equals the HTTP status, 4xx. */
export interface Refusal {
  kind: "refusal";
  status: number;
  /** The server's stable word, or null where PocketBase itself answered. */
  code: ErrorCode | null;
  message: string;
  /** Field faults: name → code. */
  fields: Record<string, string>;
  /** The server was asked about the token meanwhile, and takes it. */
  isTokenGood?: boolean;
}

export interface Unknown {
  kind: "unknown";
  status: number;
  code: Extract<ErrorCode, "network" | "timeout" | "server" | "rate_limited" | "quota">;
  ours: boolean;
  /** Seconds, where the server said so. */
  retryAfter: number | null;
}

export const noAnswer = (code: "network" | "timeout"): Unknown => ({
  kind: "unknown",
  status: 0,
  code,
  ours: false,
  retryAfter: null,
});

/** Our server answered, and what happened is open. */
export const unsure = (status: number): Unknown => ({
  ...noAnswer("network"),
  status,
  code: "server",
  ours: true,
});

/** Reads a response to its end. Never throws. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  const body = status === 204 ? null : await readJson(response);
  if (response.redirected || body === undefined) return noAnswer("network");
  if (response.ok) return { kind: "accepted", status, body };
  if (!isRecord(body) || body["status"] !== status) return noAnswer("network");
  return refusalOf(status, body, Number(response.headers.get("Retry-After")) || null);
}

/** `undefined` for what is not JSON, or is cut short. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown;
  } catch {
    return undefined;
  }
}

/** Statuses that leave open what happened, like all from 500 on. */
const UNKNOWN_STATUSES: Record<number, Unknown["code"]> = {
  408: "timeout",
  429: "rate_limited",
  507: "quota",
};

function refusalOf(
  status: number,
  body: Record<string, unknown>,
  retryAfter: number | null,
): Refusal | Unknown {
  const unknown = UNKNOWN_STATUSES[status] ?? (status >= 500 ? "server" : null);
  if (unknown !== null) return { ...unsure(status), code: unknown, retryAfter };
  const code = isErrorCode(body["code"]) ? body["code"] : null;
  const message = typeof body["message"] === "string" ? body["message"] : "";
  return { kind: "refusal", status, code, message, fields: fieldCodes(body["data"]) };
}

function fieldCodes(data: unknown): Record<string, string> {
  if (!isRecord(data)) return {};
  const entries = Object.entries(data).flatMap(([field, fault]) =>
    isRecord(fault) && typeof fault["code"] === "string" ? [[field, fault["code"]]] : [],
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

const GUEST_STATUSES = [400, 401, 403, 404];

/** Whether it may have been said to a guest: only a code of ours is certain. */
export const mayBeGuest = ({ code, status }: Refusal): boolean =>
  code === "unauthenticated" || (code === null && GUEST_STATUSES.includes(status));

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** PocketBase's own words for a fault of a field, where our hooks did not speak first. */
const FIELD_CODES: Record<string, ErrorCode> = {
  "email:validation_invalid_email": "email_invalid",
  "email:validation_is_email": "email_invalid",
  "email:validation_not_unique": "email_taken",
  "username:validation_not_unique": "username_taken",
  "username:validation_min_text_constraint": "username_short",
  "username:validation_max_text_constraint": "username_long",
  "username:validation_invalid_format": "username_characters",
  "password:validation_min_text_constraint": "password_short",
  "password:validation_length_out_of_range": "password_short",
  "passwordConfirm:validation_values_mismatch": "password_mismatch",
  "id:validation_not_unique": "duplicate",
  "id:validation_pk_invalid": "duplicate",
};

export function toFailure(answer: Refusal | Unknown): Failure {
  if (answer.kind === "refusal") {
    const until = parseInstant(answer.fields["blockedUntil"]);
    const { message } = answer;
    return { success: false, error: refusalCode(answer), message, ...(until > 0 && { until }) };
  }
  const failure: Failure = { success: false, error: answer.code };
  return answer.retryAfter === null ? failure : { ...failure, retryAfter: answer.retryAfter };
}

/** The word for a refusal: the server's, a field's, or the status's. */
export function refusalCode(answer: Refusal): ErrorCode {
  if (answer.code !== null) return answer.code;
  for (const [field, fault] of Object.entries(answer.fields)) {
    const known = FIELD_CODES[`${field}:${fault}`];
    if (known !== undefined) return known;
    if (isErrorCode(fault)) return fault;
  }
  return STATUS_CODES[answer.status] ?? "invalid";
}

const STATUS_CODES: Record<number, ErrorCode> = {
  401: "unauthenticated",
  402: "quota",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "gone",
  413: "too_large",
};

/** The device has no room: Dexie wraps the browser's error. */
export function isQuotaError(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error || at instanceof DOMException; ) {
    if (at.name === "QuotaExceededError") return true;
    // Dexie wraps it as `inner`, RxDB among its parameters.
    const wrapped = at as { inner?: unknown; parameters?: { error?: unknown } };
    at = wrapped.inner ?? wrapped.parameters?.error ?? at.cause;
  }
  return false;
}

/** The code of something that was thrown on this device: a lack of room, or a fault of ours. */
export const codeOfFault = (error: unknown): ErrorCode =>
  isQuotaError(error) ? "storage_full" : "internal";
