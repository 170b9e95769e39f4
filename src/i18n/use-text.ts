/** Text by typed key, for attributes and plain strings. Use `Say` where German must be marked as such. */
import { useTranslation } from "react-i18next";
import type { Text, TextKey, TextParams } from "./keys";

export interface Texts {
  t: (key: TextKey, params?: TextParams) => string;
  say: (text: Text) => string;
  language: string;
}

export function useText(): Texts {
  const { t: translate, i18n } = useTranslation();
  const t = (key: TextKey, params?: TextParams): string => translate(key, params ?? {});
  const say = (text: Text): string => ("raw" in text ? text.raw : t(text.key, text.params));
  return { t, say, language: i18n.language };
}
