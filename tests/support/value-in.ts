import type { Result } from "@/domain/result";

/** The value of an operation that must succeed; throws with its code where it did not. */
export function valueIn<T>(result: Result<T>): T {
  if (!result.success) throw new Error(`${result.error} ${result.message ?? ""}`.trim());
  return result.value;
}
