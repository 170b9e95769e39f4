/** Keys whose English-catalogue text is German (specification, "The interface is bilingual"): shown with `lang="de"`. */
import type { TextKey } from "./keys";

const GERMAN_KEYS: Set<TextKey> = new Set<TextKey>([
  "media.loadFailed",
  "people.unknown",
  "people.notFound",
  "people.chatFailed",
  "profile.signedOut",
  "profile.toLogin",
  "chat.errorTitle",
  "chat.nameRequired",
  "chat.userNotFound",
  "chat.self",
  "chat.unknownUserGerman",
  "chat.notFound",
  "chat.toChats",
  "chat.block",
  "chat.partnerFailed",
  "chat.partnerDataFailed",
  "chat.messagesFailed",
  "chat.sendFailed",
  "chat.photoFailed",
  "profile.nameTaken",
  "profile.forbidden",
  "profile.saveFailed",
  "account.noUser",
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

/** For the texts of a part that is loaded later. */
export function addGermanKeys(keys: readonly TextKey[]): void {
  for (const key of keys) GERMAN_KEYS.add(key);
}
