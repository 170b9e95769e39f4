/** Where a person goes on after signing in: the address that led them to the form (see with-return.ts). */

/** The place that `search` names, or `fallback`. Only ever a path of this app: a link must not lead elsewhere. */
export function returnPath(search: string, fallback: string): string {
  const place = new URLSearchParams(search).get(RETURN_PARAM) ?? "";
  const isOurs = /^\/(?![/\\])/.test(place) && !/[\\\p{Cc}]/u.test(place);
  return isOurs ? place : fallback;
}

/** The way to a form and back (specification §6, Visitor). Apart from its reading, which the first chunk does not need. */
const RETURN_PARAM = "next";

/** `form` (such as `/login`) with the way back to `place`, a path of this app with its query. */
export const withReturn = (form: string, place: string): string =>
  `${form}?${RETURN_PARAM}=${encodeURIComponent(place)}`;
