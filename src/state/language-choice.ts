/** Choosing the language, learning the community's, and the offer of German (see language.ts). */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isLanguage, type Language } from "@/domain/languages";
import { switchTexts } from "@/i18n/setup";
import { readChosen, storedCommunity, storedLanguage, storedMark } from "./language";
import { useSession } from "./session";
import { storedText } from "./stored";
import { showFailure } from "./toasts";
import { useWatch } from "./use-watch";

const storedOffer = storedText("local", "augenblick.german-offered");
const MARK = "1";

/** Shows everything in another language, and keeps it. Says so where its texts are out of reach. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await switchTexts(language);
  } catch {
    showFailure("language.failed", "language.failedText");
    return;
  }
  storedLanguage.write(language);
  storedMark.write(MARK);
  document.documentElement.lang = language;
}

/** Keeps the language that the operator set, for the next start of whoever has chosen none. */
export function useCommunityLanguage(): void {
  const language = useWatch(({ reads }) => reads.watchCommunityLanguage(), [], "");
  // Outside: web storage.
  useEffect(() => {
    if (isLanguage(language)) storedCommunity.write(language);
  }, [language]);
}

const isGerman = (code: string): boolean => /^de\b/i.test(code);

/** Whether to offer German: to a visitor whose browser speaks it, until answered once. */
export function useGermanOffer() {
  const { i18n } = useTranslation();
  const session = useSession();
  const [answered, setAnswered] = useState(() => storedOffer.read() !== null);
  const isOffered =
    !answered &&
    session.state === "signed-out" &&
    i18n.language !== "de" &&
    readChosen() === null &&
    navigator.languages.some(isGerman);
  const answer = (accepted: boolean) => {
    storedOffer.write(MARK);
    setAnswered(true);
    if (accepted) void chooseLanguage("de");
  };
  return { isOffered, answer };
}
