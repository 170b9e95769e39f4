/**
 * Starts i18next and loads the catalogue in parts: the first with the first screen, the later one
 * with the pages that show it, the admin panel's with the panel. Another language is one more
 * folder beside `en`, and one more line in each table here.
 */
import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en/first";
import type { KeyedText } from "./keys";

type AnyKey = KeyedText["key"];

export const LANGUAGES = ["en"] as const;
export type Language = (typeof LANGUAGES)[number];

const FIRST = { en } satisfies Record<Language, object>;

type PartLoader = Record<Language, () => Promise<{ texts: object; german: readonly AnyKey[] }>>;

const LATER: PartLoader = {
  en: async () => {
    const { enLater, LATER_GERMAN } = await import("./en/later");
    return { texts: enLater, german: LATER_GERMAN };
  },
};

const ADMIN: PartLoader = {
  en: async () => {
    const { enAdmin, ADMIN_GERMAN } = await import("./en/admin");
    return { texts: enAdmin, german: ADMIN_GERMAN };
  },
};

export function startTexts(language: Language): void {
  void i18next.init({
    lng: language,
    fallbackLng: "en",
    resources: { [language]: { translation: FIRST[language] } },
    // React escapes what it renders, so i18next must not escape a second time.
    interpolation: { escapeValue: false },
    initAsync: false,
    // Pages wait for their texts before they render, and an added part changes nothing on screen.
    react: { useSuspense: false, bindI18nStore: "" },
  });
  initReactI18next.init(withMemory(i18next));
}

const loaded = new Map<PartLoader, Promise<void>>();

function loadPart(part: PartLoader): Promise<void> {
  const known = loaded.get(part);
  if (known !== undefined) return known;
  const language = LANGUAGES.find((one) => one === i18next.language) ?? "en";
  const loading = part[language]().then(({ texts, german }) => {
    i18next.addResourceBundle(language, "translation", texts, true);
    addGermanKeys(german);
  });
  loaded.set(part, loading);
  return loading;
}

export const loadLaterTexts = (): Promise<void> => loadPart(LATER);

export const loadAdminTexts = (): Promise<void> => loadPart(ADMIN);

/** Some of the specification's sentences are German: `Say` marks these keys with `lang="de"`. */
const germanKeys = new Set<AnyKey>();

export const isGerman = (key: AnyKey): boolean => germanKeys.has(key);

export function addGermanKeys(keys: readonly AnyKey[]): void {
  for (const key of keys) germanKeys.add(key);
}

const MEMORY_MAX = 500;

type Translate = (key: AnyKey, params?: object) => string;

/** `t` of one language, which remembers what it returned. */
function remembering(language: string): Translate {
  const remembered = new Map<string, string>();
  return (key, params = {}) => {
    const id = `${key} ${JSON.stringify(params)}`;
    const known = remembered.get(id);
    if (known !== undefined) return known;
    const text = (i18next.t as Translate)(key, { ...params, lng: language });
    // The key itself: the text may come with a part that is not loaded yet.
    if (text === key) return text;
    if (remembered.size >= MEMORY_MAX) remembered.clear();
    remembered.set(id, text);
    return text;
  };
}

/**
 * The instance that `useTranslation` works with, made for lists of many cards. Their texts are
 * mostly the same few, and i18next takes about 20 µs to put one together, so `t` gets a memory. And
 * each mounted `useTranslation` copies the own properties of its instance: i18next has dozens,
 * which makes mounting the hook several times slower; this instance has one.
 */
function withMemory(instance: i18n): i18n {
  const byLanguage = new Map<string, Translate>();
  const getFixedT = (language: string): Translate => {
    const known = byLanguage.get(language);
    if (known !== undefined) return known;
    const made = remembering(language);
    byLanguage.set(language, made);
    return made;
  };
  return Object.create(instance, { getFixedT: { value: getFixedT } });
}
