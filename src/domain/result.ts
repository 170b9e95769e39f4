/** The result of an operation (specification §7): success, or an error code. Bugs are thrown. */
import type { ErrorCode } from "./error-codes";

export type Failure = {
  success: false;
  error: ErrorCode;
  /** The server's message, where it sent one. */
  message?: string;
  /** Seconds to wait, where the server named them (429). */
  retryAfter?: number;
  /** When the suspension ends that is in the way, milliseconds since 1970, where it does. */
  until?: number;
};
export type Result<T> = { success: true; value: T } | Failure;

export const ok = <T>(value: T): Result<T> => ({ success: true, value });
export const failed = (error: ErrorCode, message?: string): Failure =>
  message === undefined ? { success: false, error } : { success: false, error, message };
