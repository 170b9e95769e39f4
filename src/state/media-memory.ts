/**
 * The medium last opened, in session storage (specification §2, /view). It counts only for the very address it was
 * opened under; every other address speaks for itself.
 */
import { idFromSlug } from "@/domain/paths";

export const OPENED_MEDIA_KEY = "mediaId";

export function rememberOpened(slug: string, id: string, store: Storage): void {
  try {
    store.setItem(OPENED_MEDIA_KEY, JSON.stringify({ slug, id }));
  } catch {
    // Full: the slug still ends in the id.
  }
}

export function openedMediaId(slug: string, store: Storage): string {
  try {
    const value: unknown = JSON.parse(store.getItem(OPENED_MEDIA_KEY) ?? "null");
    if (typeof value === "object" && value !== null && "slug" in value && "id" in value) {
      if (value.slug === slug && typeof value.id === "string") return value.id;
    }
  } catch {
    // Something else wrote there: fall through to the slug.
  }
  return idFromSlug(slug);
}
