/** Text by typed key, for attributes and plain strings. Use `Say` where German must be marked as such. */
import i18next from "i18next";
import { useSyncExternalStore } from "react";
import type { Text, TextKey, TextParams } from "./keys";

export interface Texts {
  t: (key: TextKey, params?: TextParams) => string;
  say: (text: Text) => string;
  language: string;
}

/** What was said once, by what was asked: a gallery says the same few texts with every card. */
const said = new Map<string, string>();
const MOST_SAID = 500;
i18next.on("languageChanged", () => said.clear());

const t: Texts["t"] = (key, params = {}) => {
  const asked = `${key} ${JSON.stringify(params)}`;
  const known = said.get(asked);
  if (known !== undefined) return known;
  const text = i18next.t(key, params);
  // Not there: it may come with a later part of the catalogue.
  if (text === key) return text;
  if (said.size >= MOST_SAID) said.clear();
  said.set(asked, text);
  return text;
};
const say: Texts["say"] = (text) => ("raw" in text ? text.raw : t(text.key, text.params));

let texts: Texts = { t, say, language: "" };

/** The same object until the language is another: every card of a long list asks for it. */
function current(): Texts {
  if (texts.language !== i18next.language) texts = { t, say, language: i18next.language };
  return texts;
}

function subscribe(onChange: () => void): () => void {
  i18next.on("languageChanged", onChange);
  return () => i18next.off("languageChanged", onChange);
}

export const useText = (): Texts => useSyncExternalStore(subscribe, current);
