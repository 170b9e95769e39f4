/** A refusal: PocketBase's error shape and a stable word of ours (data contract). */
import type { ErrorCode } from "@/domain/error-codes";

/** Seconds after which to ask a busy server again; a device does not count them as trying. */
export const RETRY_AFTER = "3";

export interface Refusal {
  status: number;
  code: ErrorCode;
  /** The specification's sentence where it names one, otherwise a plain English one. */
  message: string;
  /** Faults by field, each `{code, message}`. */
  data?: Record<string, { code: string; message: string }>;
}

/**
 * Answers `body`, whole: PocketBase would pick `?fields=` out of it, and a negative excerpt there is a panic that
 * costs the pool an engine.
 */
export function answer(e: core.RequestEvent, status: number, body: unknown): void {
  if (e.request?.url) e.request.url.rawQuery = "";
  e.json(status, body);
}

/** Takes an impossible excerpt out of a request that PocketBase itself will answer, from within a hook of ours. */
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

export const NOT_FOUND: Refusal = {
  status: 404,
  code: "not_found",
  message: "The requested resource wasn't found.",
};
