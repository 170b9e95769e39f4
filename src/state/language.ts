/**
 * Which language this device reads: the one that was chosen here, else the community's. Nothing
 * switches by itself: what the operator changes holds from the next start on. The inline script of
 * index.html reads the same keys and has put the language into `<html lang>` before this runs.
 * Choosing is in language-choice.ts, which the first screen does without.
 */
import { chosenLanguage, isLanguage, type Language, STANDARD_LANGUAGE } from "@/domain/languages";
import { storedText } from "./stored";

/** Inline scripts read the keys, and devices keep them: never rename them. */
export const LANGUAGE_KEY = "language";
export const LANGUAGE_CHOSEN_KEY = "augenblick.language-chosen";
export const COMMUNITY_LANGUAGE_KEY = "augenblick.community-language";

export const storedLanguage = storedText("local", LANGUAGE_KEY);
export const storedMark = storedText("local", LANGUAGE_CHOSEN_KEY);
export const storedCommunity = storedText("local", COMMUNITY_LANGUAGE_KEY);

export const readChosen = (): Language | null =>
  chosenLanguage({ language: storedLanguage.read(), chosen: storedMark.read() });

/** The language of this page, as its inline script has found it. */
export function pageLanguage(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : STANDARD_LANGUAGE;
}

/**
 * Stores what the page is read in (specification §1). The community's language lies under a key of
 * its own, because under the language key any but the standard one is a choice.
 */
export function storeLanguage(language: Language): void {
  if (readChosen() !== null) return;
  storedLanguage.write(language === STANDARD_LANGUAGE ? language : null);
  if (storedCommunity.read() === null) storedCommunity.write(language);
}
