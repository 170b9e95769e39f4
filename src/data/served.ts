/** The answers of the specification's operations (§7), made from results. */
import type { Result } from "@/domain/result";
import type { Served, ServedFlag, ServedList, ServedOne } from "./service-api";

export function served(result: Result<unknown>): Served {
  return result.success
    ? { success: true, error: null, message: "" }
    : { success: false, error: result.error, message: result.message ?? "" };
}

export const servedOne = <T>(result: Result<T | null>): ServedOne<T> => ({
  ...served(result),
  value: result.success ? result.value : null,
});

export const servedFlag = (result: Result<boolean>): ServedFlag => ({
  ...served(result),
  value: result.success && result.value,
});

/** `count` is what was asked for. */
export const servedList = <T>(result: Result<T[]>, count: number): ServedList<T> => ({
  ...served(result),
  items: result.success ? result.value.slice(0, count) : [],
  hasMore: result.success && result.value.length >= count,
});
