/** The kinds of error that the specification's file storage knows (§8), as our codes. */
import type { ErrorCode } from "@/domain/error-codes";

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
