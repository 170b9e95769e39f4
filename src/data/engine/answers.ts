/**
 * Classifies what came back from a request: accepted, refused, or unknown (docs/architecture.md).
 */
import { type ErrorCode, isErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";

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
}

export interface Unknown {
  kind: "unknown";
  /** 0 when nothing came. */
  status: number;
  code: Extract<ErrorCode, "network" | "timeout" | "server" | "rate_limited" | "quota">;
  /** Whether it was our server that answered. */
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

function refusalOf(
  status: number,
  body: Record<string, unknown>,
  retryAfter: number | null,
): Refusal | Unknown {
  const code = isErrorCode(body["code"]) ? body["code"] : null;
  if (status === 507) return { kind: "unknown", status, code: "quota", ours: true, retryAfter };
  if (status === 429) {
    return { kind: "unknown", status, code: "rate_limited", ours: true, retryAfter };
  }
  if (status === 408) return { kind: "unknown", status, code: "timeout", ours: true, retryAfter };
  if (status >= 500) return { kind: "unknown", status, code: "server", ours: true, retryAfter };
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

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An answer that is not a yes, as the failure that an operation returns (specification §7). */

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
    return { success: false, error: refusalCode(answer), message: answer.message };
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
  return codeOfStatus(answer.status);
}

function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 409:
      return "conflict";
    case 410:
      return "gone";
    case 413:
      return "too_large";
    default:
      return codeOfStorageError(storageErrorOfStatus(status));
  }
}

/** The kinds of error that the specification's file storage knows (§8), as our codes. */

const CODES = {
  unknown: "invalid",
  "object-not-found": "not_found",
  "quota-exceeded": "quota",
  unauthenticated: "unauthenticated",
  unauthorized: "forbidden",
  "retry-limit-exceeded": "timeout",
  canceled: "canceled",
  "invalid-url": "not_found",
} as const satisfies Record<string, ErrorCode>;

export type StorageErrorKind = keyof typeof CODES;

export const codeOfStorageError = (kind: StorageErrorKind): ErrorCode => CODES[kind];

/** The kind of a refusal by its status (specification §8: 402, 401, 403). */
export function storageErrorOfStatus(status: number): StorageErrorKind {
  switch (status) {
    case 401:
      return "unauthenticated";
    case 402:
      return "quota-exceeded";
    case 403:
      return "unauthorized";
    case 404:
      return "object-not-found";
    default:
      return "unknown";
  }
}
