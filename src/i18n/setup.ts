/** Starts i18next with the one catalogue there is. Another language is one more file and one more line here. */
import i18next from "i18next";
import { en } from "./en";
import { addGermanKeys } from "./german-keys";

export const LANGUAGES = ["en"] as const;
export type Language = (typeof LANGUAGES)[number];

export function startTexts(language: Language): void {
  // React escapes what it renders, so i18next must not escape a second time.
  void i18next.init({
    lng: language,
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
    initAsync: false,
  });
}

let later: Promise<void> | null = null;

/** The sentences that the first picture does not need. Await it before a page that shows them. */
export function loadLaterTexts(): Promise<void> {
  later ??= Promise.all([import("./en-later"), import("./german-later")]).then(
    ([{ enLater }, { LATER_GERMAN }]) => {
      i18next.addResourceBundle("en", "translation", enLater, true);
      addGermanKeys(LATER_GERMAN);
    },
  );
  return later;
}
