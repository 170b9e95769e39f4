/** Where a person goes on after signing in: the address that led them to the form (see with-return.ts). */
import { RETURN_PARAM } from "./with-return";

/** The place that `search` names, or `fallback`. Only ever a path of this app: a link must not lead elsewhere. */
export function returnPath(search: string, fallback: string): string {
  const place = new URLSearchParams(search).get(RETURN_PARAM) ?? "";
  const isOurs = /^\/(?![/\\])/.test(place) && !/[\\\p{Cc}]/u.test(place);
  return isOurs ? place : fallback;
}
