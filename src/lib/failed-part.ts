/** Parts of the app that were asked for later and did not come. */
import { createCell } from "./cell";

/** Raised for each: whoever shows notices watches it. */
export const failedParts = createCell(0);

const LOAD_ERRORS = new WeakSet<object>();

/** Vite tells of every import that fails, before it fails for whoever asked. */
export function noticeFailedImports(): void {
  addEventListener("vite:preloadError", ({ payload }) => LOAD_ERRORS.add(payload));
}

export const isFailedImport = (error: unknown): boolean =>
  typeof error === "object" && error !== null && LOAD_ERRORS.has(error);
