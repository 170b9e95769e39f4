/** The type of every key of the catalogue, so that a misspelt one does not compile. */
import type { en } from "./en";
import type { enAdmin } from "./en-admin";
import type { enLater } from "./en-later";

type Leaves<T, Prefix extends string = ""> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : Leaves<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

/** `likes_one` and `likes_other` are asked for as `likes` with a count. */
type WithoutPlural<K extends string> = K extends `${infer Base}_one`
  ? Base
  : K extends `${string}_other`
    ? never
    : K;

export type TextKey = WithoutPlural<
  Leaves<typeof en> | Leaves<typeof enLater> | Leaves<typeof enAdmin>
>;

export type TextParams = Record<string, string | number>;

/** A text to be shown later: a key with its values, or a sentence that the server sent. */
export type Text = { key: TextKey; params?: TextParams } | { raw: string };
