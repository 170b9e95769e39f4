/** The way to the sign-in forms and back (specification §6, Visitor). */

const RETURN_PARAM = "next";

/** The path that `search` names, or `fallback`. Accepts only paths of this app. */
export function returnPath(search: string, fallback: string): string {
  const place = new URLSearchParams(search).get(RETURN_PARAM) ?? "";
  const isOurs = /^\/(?![/\\])/.test(place) && !/[\\\p{Cc}]/u.test(place);
  return isOurs ? place : fallback;
}

/** `form` (such as `/login`) with the way back to `place`, a path of this app with its query. */
export const withReturn = (form: string, place: string): string =>
  `${form}?${RETURN_PARAM}=${encodeURIComponent(place)}`;
