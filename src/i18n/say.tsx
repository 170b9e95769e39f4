/** A text on screen, marked `lang="de"` where its sentence is German. Elsewhere use `t`. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { KeyedText, Text } from "./keys";
import { isGerman } from "./setup";

export function plain(t: TFunction, text: Text): string {
  const translate = t as (key: string, params?: object) => string;
  return translate(text.key, text.params);
}

export function SayText({ text }: { text: Text }) {
  const { t } = useTranslation();
  const sentence = plain(t, text);
  return isGerman(text.key) ? <span lang="de">{sentence}</span> : sentence;
}

/** The mark of a German text, for an element that says nothing but `key`. */
export const germanMark = (key: KeyedText["key"]): { lang?: "de" } =>
  isGerman(key) ? { lang: "de" } : {};

type SayProps<T = KeyedText> = T extends KeyedText ? { k: T["key"]; params?: T["params"] } : never;

export function Say({ k, params }: SayProps) {
  return <SayText text={(params === undefined ? { key: k } : { key: k, params }) as KeyedText} />;
}
