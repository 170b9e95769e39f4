/**
 * Starts the texts and loads the catalogues: one language, and of it the part that is shown. The
 * first part comes with the first screen, the later one with the pages that show it, the admin
 * panel's with the panel. Another language is one more folder beside `en`, one more line in each
 * table here, and its code in domain/languages.ts.
 */
import { initReactI18next } from "react-i18next";
import { isLanguage, LANGUAGES, type Language, STANDARD_LANGUAGE } from "@/domain/languages";
import { addTexts, forgetTexts, instance, readLanguage } from "./catalogue";
import { en } from "./en/first";
import type { KeyedText } from "./keys";

type AnyKey = KeyedText["key"];

interface PartTexts {
  texts: object;
  /** Laid over `texts`, by key: `en-GB` is `en` but for these. */
  own?: Record<string, string>;
  /** The keys of German sentences among `texts`. */
  german?: readonly AnyKey[];
}

type Part = Record<Language, () => Promise<PartTexts>>;

const FIRST: Part = {
  en: async () => ({ texts: en }),
  "en-GB": async () => ({ texts: en, own: (await import("./en-GB/first")).enGbFirst }),
  de: async () => ({ texts: (await import("./de/first")).deFirst }),
};

const LATER: Part = {
  en: async () => {
    const { enLater, LATER_GERMAN } = await import("./en/later");
    return { texts: enLater, german: LATER_GERMAN };
  },
  "en-GB": async () => {
    const [base, own] = await Promise.all([import("./en/later"), import("./en-GB/later")]);
    return { texts: base.enLater, own: own.enGbLater };
  },
  de: async () => ({ texts: (await import("./de/later")).deLater }),
};

const ADMIN: Part = {
  en: async () => {
    const { enAdmin, ADMIN_GERMAN } = await import("./en/admin");
    return { texts: enAdmin, german: ADMIN_GERMAN };
  },
  "en-GB": async () => {
    const [base, own] = await Promise.all([import("./en/admin"), import("./en-GB/admin")]);
    return { texts: base.enAdmin, own: own.enGbAdmin };
  },
  de: async () => ({ texts: (await import("./de/admin")).deAdmin }),
};

/** With the page of what one is told of. */
const NEWS: Part = {
  en: async () => ({ texts: (await import("./en/news")).enNews }),
  "en-GB": async () => ({ texts: (await import("./en/news")).enNews }),
  de: async () => ({ texts: (await import("./de/news")).deNews }),
};

/** With the page of the week. */
const EXPLORE: Part = {
  en: async () => ({ texts: (await import("./en/explore")).enExplore }),
  "en-GB": async () => ({ texts: (await import("./en/explore")).enExplore }),
  de: async () => ({ texts: (await import("./de/explore")).deExplore }),
};

/** With what needs the server. */
const ONLINE: Part = {
  en: async () => ({ texts: (await import("./en/online")).enOnline }),
  "en-GB": async () => ({ texts: (await import("./en/online")).enOnline }),
  de: async () => ({ texts: (await import("./de/online")).deOnline }),
};

/** With the settings about notifications alone. */
const PUSH: Part = {
  en: async () => ({ texts: (await import("./en/push")).enPush }),
  "en-GB": async () => ({ texts: (await import("./en/push")).enPush }),
  de: async () => ({ texts: (await import("./de/push")).dePush }),
};

/** The standard language stands as soon as this returns, another one when it resolves. */
export async function startTexts(language: Language): Promise<void> {
  // Each start begins with an empty store.
  loaded.clear();
  forgetTexts();
  addTexts(STANDARD_LANGUAGE, en);
  readLanguage(STANDARD_LANGUAGE);
  initReactI18next.init(instance);
  if (language !== STANDARD_LANGUAGE) await switchTexts(language);
}

export const currentLanguage = (): Language =>
  isLanguage(instance.language) ? instance.language : STANDARD_LANGUAGE;

/** Parts that a page has asked for: a switch needs all of them. */
const wanted = new Set<Part>([FIRST]);
const loaded = new Map<Part, Map<Language, Promise<void>>>();

async function addPart(part: Part, language: Language): Promise<void> {
  const { texts, own, german } = await part[language]();
  addTexts(language, texts);
  if (own !== undefined) addTexts(language, own);
  if (german !== undefined) addGermanKeys(german);
}

function loadPart(part: Part, language: Language): Promise<void> {
  const byLanguage = loaded.get(part) ?? new Map<Language, Promise<void>>();
  loaded.set(part, byLanguage);
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const loading = addPart(part, language);
  byLanguage.set(language, loading);
  // What could not be had is asked for again at the next occasion.
  loading.catch(() => byLanguage.delete(language));
  return loading;
}

/** Loads a part for the language that is read, also where that changes meanwhile. */
async function loadForReader(part: Part): Promise<void> {
  wanted.add(part);
  const language = currentLanguage();
  await loadPart(part, language);
  if (language !== currentLanguage()) await loadForReader(part);
}

export const loadLaterTexts = (): Promise<void> => loadForReader(LATER);

export const loadAdminTexts = (): Promise<void> => loadForReader(ADMIN);

/** In all languages, because the worker does not put them aside, and a switch needs no network. */
const loadForAll = async (part: Part): Promise<void> =>
  void (await Promise.all(LANGUAGES.map((language) => loadPart(part, language))));

export const loadNewsTexts = (): Promise<void> => loadForAll(NEWS);
export const loadExploreTexts = (): Promise<void> => loadForAll(EXPLORE);
export const loadOnlineTexts = (): Promise<void> => loadForAll(ONLINE);
export const loadPushTexts = (): Promise<void> => loadForAll(PUSH);

/** Shows everything in `language`. Rejects, and changes nothing, where a part cannot be had. */
export async function switchTexts(language: Language): Promise<void> {
  const parts = [...wanted];
  await Promise.all(parts.map((part) => loadPart(part, language)));
  // A page that was opened meanwhile has brought its part for the old language alone.
  if (parts.length < wanted.size) return switchTexts(language);
  readLanguage(language);
}

/** Some of the specification's sentences are German: `Say` marks these keys with `lang="de"`. */
const germanKeys = new Set<AnyKey>();

export const isGerman = (key: AnyKey): boolean =>
  currentLanguage() === STANDARD_LANGUAGE && germanKeys.has(key);

export function addGermanKeys(keys: readonly AnyKey[]): void {
  for (const key of keys) germanKeys.add(key);
}
