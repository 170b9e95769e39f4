/**
 * Values in web storage, one object per key. The keys and formats lie on users' devices and never
 * change. What cannot be read counts as absent, and a write that fails is reported to the caller: a
 * browser may deny storage altogether, even the access to `localStorage` itself, or have no room
 * left.
 */
type Area = "local" | "session";

export interface Stored<T> {
  /** Null when nothing is stored, when it is broken, and when the browser denies storage. */
  read: () => T | null;
  /** Null removes. False when the browser denied it or has no room; the old value then stays. */
  write: (value: T | null) => boolean;
}

const areaOf = (area: Area): Storage => (area === "local" ? localStorage : sessionStorage);

export const storedText = (area: Area, key: string): Stored<string> => ({
  read() {
    try {
      return areaOf(area).getItem(key);
    } catch {
      return null;
    }
  },
  write(value) {
    try {
      if (value === null) areaOf(area).removeItem(key);
      else areaOf(area).setItem(key, value);
      return true;
    } catch {
      return false;
    }
  },
});

/** A JSON value. `parse` returns null for anything that is not a whole, valid `T`. */
export function storedJson<T>(
  area: Area,
  key: string,
  parse: (value: unknown) => T | null,
): Stored<T> {
  const text = storedText(area, key);
  return {
    read() {
      try {
        return parse(JSON.parse(text.read() ?? "null"));
      } catch {
        return null;
      }
    },
    write: (value) => text.write(value === null ? null : JSON.stringify(value)),
  };
}

/** The fields of an object, none for any other value: for `parse`. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

export function removeStored(area: Area, prefix: string): void {
  try {
    const store = areaOf(area);
    const keys = Array.from({ length: store.length }, (_, i) => store.key(i) ?? "");
    for (const key of keys) if (key.startsWith(prefix)) store.removeItem(key);
  } catch {
    // Ignoring it: a browser that denies storage has kept nothing.
  }
}
