/** The way to a form and back (specification §6, Visitor). Apart from its reading, which the first chunk does not need. */
export const RETURN_PARAM = "next";

/** `form` (such as `/login`) with the way back to `place`, a path of this app with its query. */
export const withReturn = (form: string, place: string): string =>
  `${form}?${RETURN_PARAM}=${encodeURIComponent(place)}`;
