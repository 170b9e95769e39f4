/** The types of the catalogue. i18next learns them, so that a wrong key does not compile. */
import type { enAdmin } from "./en/admin";
import type { enExplore } from "./en/explore";
import type { en } from "./en/first";
import type { enLater } from "./en/later";
import type { enNews } from "./en/news";
import type { enOnline } from "./en/online";
import type { enPush } from "./en/push";

/** A text with forms `likes_one` and `likes_other` is asked for as `likes` with a count. */
type WithoutPlurals<T> = {
  [K in keyof T as K extends `${string}_one`
    ? never
    : K extends `${infer Base}_other`
      ? Base
      : K]: T[K] extends string ? T[K] : WithoutPlurals<T[K]>;
};

type Catalogue = WithoutPlurals<
  typeof en &
    typeof enLater &
    typeof enAdmin &
    typeof enNews &
    typeof enExplore &
    typeof enOnline &
    typeof enPush
>;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: Catalogue };
    strictKeyChecks: true;
    strictInterpolationChecks: true;
  }
}

/** `[key, text]` of every text. */
type Leaves<T, Prefix extends string = ""> = {
  [K in keyof T & string]: T[K] extends string
    ? [`${Prefix}${K}`, T[K]]
    : Leaves<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

type Placeholders<S> = S extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type KeyWithoutValues<T> = T extends [infer K, infer S]
  ? [Placeholders<S>] extends [never]
    ? K
    : never
  : never;

type WithValues<T> = T extends [infer K, infer S]
  ? [Placeholders<S>] extends [never]
    ? never
    : { key: K; params: Values<Placeholders<S>> }
  : never;

type Values<Name extends string> = { [N in Name]: N extends "count" ? number : string | number };

/** Keys of the texts that need no values. */
export type TextKey = KeyWithoutValues<Leaves<Catalogue>>;

/** A text by its key, with the values of its placeholders. */
export type KeyedText = { key: TextKey; params?: never } | WithValues<Leaves<Catalogue>>;

/** A text to be shown later, in the language that is read then. */
export type Text = KeyedText;

type PluralOf<K> = K extends `${infer Base}_other` ? Base : never;

/** Forms that some languages have beside "one" and "other"; the check knows which language. */
type MoreForms<T> = {
  readonly [K in keyof T as `${PluralOf<K>}_${"zero" | "two" | "few" | "many"}`]?: string;
};

/** The texts `T` in another language: every key, and no other. The check compares placeholders. */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]>;
} & MoreForms<T>;

/** What "English (all)" says otherwise than `en`: its German sentences, and what it likes. */
export type EnglishFor<German extends readonly string[]> = Readonly<
  Record<German[number], string>
> &
  Readonly<Partial<Record<AnyKey, string>>>;

type AnyKey = Leaves<Catalogue>[0];
