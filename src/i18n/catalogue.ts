/**
 * The catalogues in memory, as the instance of i18next that react-i18next works with. i18next
 * itself would be an eighth of the entry; of what it can, texts need placeholders (`{{name}}`),
 * forms by number (`likes_one`, `likes_other`, `likes_zero`) and texts within texts
 * (`$t(time.month1)`). Instead of a text that is missing stands `defaultValue`, else its key.
 */
import type { i18n, TFunction } from "i18next";
import { numberText } from "./formats";

type Values = Readonly<Record<string, string | number>>;

const catalogues = new Map<string, Map<string, string>>();
const translators = new Map<string, TFunction>();
const listeners = new Set<() => void>();
let current = "";

function catalogueOf(language: string): Map<string, string> {
  const known = catalogues.get(language);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  catalogues.set(language, made);
  return made;
}

/** Adds `texts`, by key or as a tree of keys; those of earlier calls stand unless named again. */
export function addTexts(language: string, texts: object, prefix = ""): void {
  const catalogue = catalogueOf(language);
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === "string") catalogue.set(prefix + name, text);
    else addTexts(language, text, `${prefix}${name}.`);
  }
}

export function forgetTexts(): void {
  catalogues.clear();
}

/** Tells everything on screen, if it is another language. */
export function readLanguage(language: string): void {
  if (language === current) return;
  current = language;
  for (const listener of [...listeners]) listener();
}

const plurals = new Map<string, Intl.PluralRules>();

function formOf(language: string, count: number): string {
  const rules = plurals.get(language) ?? new Intl.PluralRules(language);
  plurals.set(language, rules);
  return rules.select(count);
}

function find(language: string, key: string, count: unknown): string | undefined {
  const catalogue = catalogueOf(language);
  if (typeof count !== "number") return catalogue.get(key);
  const zero = count === 0 ? catalogue.get(`${key}_zero`) : undefined;
  return zero ?? catalogue.get(`${key}_${formOf(language, count)}`) ?? catalogue.get(key);
}

const HOLE = /\$t\(([\w.{}]+)\)|\{\{(\w+)\}\}/g;

function say(language: string, key: string, values: Values): string {
  const text = find(language, key, values["count"]);
  if (text === undefined) return String(values["defaultValue"] ?? key);
  // In one pass: what people wrote is no text of ours, whatever it looks like.
  return text.replace(HOLE, (hole: string, inner?: string, name = "") => {
    if (inner !== undefined) return say(language, fill(inner, values), values);
    const value = values[name];
    if (value === undefined) return hole;
    // Numbers from a thousand on are written as the language writes them.
    return typeof value === "number" ? numberText(value, language) : value;
  });
}

const fill = (key: string, values: Values): string =>
  key.replace(/\{\{(\w+)\}\}/g, (hole, name: string) => String(values[name] ?? hole));

/** Always the same function for the same language, so that nothing renders again for it. */
function translatorOf(language: string): TFunction {
  const known = translators.get(language);
  if (known !== undefined) return known;
  const made = (key: string, values: Values = {}) => say(language, key, values);
  translators.set(language, made as TFunction);
  return made as TFunction;
}

/** The text in the language that is read now. */
export const t = ((key: string, values: Values = {}) => say(current, key, values)) as TFunction;

/**
 * What the hook and its callers ask of i18next. The hook copies own properties at each mount: there
 * is none.
 */
const reader = {
  isInitialized: true,
  // Pages wait for their texts before they render, and an added part changes nothing on screen.
  options: { react: { useSuspense: false, bindI18n: "languageChanged", bindI18nStore: "" } },
  get language() {
    return current;
  },
  get languages() {
    return [current];
  },
  hasLoadedNamespace: () => true,
  exists: (key: string) => find(current, key, undefined) !== undefined,
  getFixedT: translatorOf,
  on: (_event: string, listener: () => void) => void listeners.add(listener),
  off: (_event: string, listener: () => void) => void listeners.delete(listener),
};

export const instance = Object.create(reader) as i18n;
