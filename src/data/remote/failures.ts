/** An answer that is not a yes, as the failure that an operation returns (specification §7). */
import { type ErrorCode, isErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";
import type { Refusal, Unknown } from "./answers";
import { codeOfStorageError, storageErrorOfStatus } from "./storage-errors";

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
