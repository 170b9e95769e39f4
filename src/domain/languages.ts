/**
 * The languages that the texts come in, and which of them a device reads. The codes lie on devices
 * and in the operator's settings: add, never rename.
 */
export const LANGUAGES = ["en", "en-GB", "de"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The specification's own texts, some of which are German. */
export const STANDARD_LANGUAGE: Language = "en";

/** Each in its own words, whatever language is read. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  "en-GB": "English (all)",
  de: "Deutsch",
};

export const isLanguage = (code: unknown): code is Language =>
  (LANGUAGES as readonly unknown[]).includes(code);

interface StoredLanguage {
  /** What lies under the language key. */
  language: string | null;
  /** What lies under the mark beside it. */
  chosen: string | null;
}

/**
 * The language that somebody chose on this device, or null. Every version has stored the standard
 * language without being asked, so that alone is no choice: a chosen one has a mark beside it.
 */
export function chosenLanguage({ language, chosen }: StoredLanguage): Language | null {
  if (!isLanguage(language)) return null;
  return language !== STANDARD_LANGUAGE || chosen !== null ? language : null;
}

/** The first of `codes` that is a language of ours: the community's, as far as it is known. */
export const communityLanguage = (...codes: readonly (string | null)[]): Language =>
  codes.find(isLanguage) ?? STANDARD_LANGUAGE;
