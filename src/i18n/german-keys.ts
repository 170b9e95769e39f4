/** Keys whose English-catalogue text is German (specification, "The interface is bilingual"): shown with `lang="de"`. */
import type { TextKey } from "./keys";

const GERMAN_KEYS: ReadonlySet<TextKey> = new Set<TextKey>([
  "media.loadFailed",
  "people.unknown",
  "people.notFound",
  "people.chatFailed",
  "profile.signedOut",
  "profile.toLogin",
  "errors.password_short",
  "errors.password_weak",
  "errors.too_large",
  "errors.quota",
  "errors.mutual_follow",
  "errors.storage_full",
  "errors.canceled",
  "errors.image_load_failed",
  "errors.canvas_unavailable",
  "errors.thumbnail_failed",
  "uploadErrors.unauthorized",
  "uploadErrors.canceled",
  "uploadErrors.quota",
  "uploadErrors.timeout",
  "uploadErrors.permission",
  "uploadErrors.network",
  "uploadErrors.other",
]);

export const isGerman = (key: TextKey): boolean => GERMAN_KEYS.has(key);
