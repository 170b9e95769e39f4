/**
 * Keys whose English-catalogue text is German (specification, "The interface is bilingual"): shown with `lang="de"`. The first
 * chunk has none; german-later.ts names those of the later texts.
 */
import type { TextKey } from "./keys";

const GERMAN_KEYS = new Set<TextKey>();

export const isGerman = (key: TextKey): boolean => GERMAN_KEYS.has(key);

/** For the texts of a part, when they are loaded. */
export function addGermanKeys(keys: readonly TextKey[]): void {
  for (const key of keys) GERMAN_KEYS.add(key);
}
