/**
 * Which media a device wants to hear of: those made at or after an instant, and older ones by the
 * marks of their ids. As a pull names it (`mediaFrom`, `mediaMarks`), and as the server reads it.
 */
export interface Window {
  /** Milliseconds since 1970. */
  from: number;
  /** Marks of three signs, one behind the other. */
  marks: string;
}

/** The end of the id: clients that number what they make number it there. */
export const markOf = (id: string): string => id.slice(-3);

export const MARKS_MAX = 400;
/** The last one of the year 9999: a later one has another form. */
const LAST_INSTANT = 253_402_300_799_999;

/** What the query of a pull says: "all" where it names no window, null where that means nothing. */
export function readWindow({
  from,
  marks,
}: {
  from: string;
  marks: string;
}): Window | "all" | null {
  if (from === "" && marks === "") return "all";
  if (marks.length > 3 * MARKS_MAX || marks.length % 3 !== 0) return null;
  if (!/^\d{1,15}$/.test(from) || !/^[a-z0-9]*$/.test(marks)) return null;
  const instant = Number(from);
  return instant <= LAST_INSTANT ? { from: instant, marks } : null;
}
