/** A refusal: PocketBase's error shape and a stable word of ours (data contract). */
import type { ErrorCode } from "@/domain/error-codes";

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** The specification's sentence where it names one, otherwise a plain English one. */
  message: string;
  /** Faults by field, each `{code, message}`. */
  data?: Record<string, { code: string; message: string }>;
}

/** Answers `refusal`. A thrown ApiError would lose the code and the punctuation of the message. */
export function refuse(e: core.RequestEvent, refusal: Refusal): void {
  const { status, code, message, data } = refusal;
  e.json(status, { status, message, data: data ?? {}, code });
}

export const NOT_FOUND: Refusal = {
  status: 404,
  code: "not_found",
  message: "The requested resource wasn't found.",
};
