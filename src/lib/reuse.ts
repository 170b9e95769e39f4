/** `next` with equal parts of `previous`, so that unchanged rows are not drawn again. For JSON. */
export function reuse<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next;
  if (Array.isArray(previous) && Array.isArray(next)) return reuseList(previous, next) as T;
  if (isPlain(previous) && isPlain(next)) return reuseObject(previous, next) as T;
  return next;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function reuseList(previous: unknown[], next: unknown[]): unknown[] {
  const byId = new Map(previous.filter(hasId).map((row) => [row.id, row]));
  const list = next.map((row, i) => reuse(hasId(row) ? byId.get(row.id) : previous[i], row));
  const same = list.length === previous.length && list.every((row, i) => row === previous[i]);
  return same ? previous : list;
}

const hasId = (value: unknown): value is { id: string } =>
  isPlain(value) && typeof value["id"] === "string";

function reuseObject(previous: Record<string, unknown>, next: Record<string, unknown>) {
  const entries = Object.entries(next).map(([key, value]) => {
    const before = Object.hasOwn(previous, key) ? previous[key] : undefined;
    return [key, reuse(before, value)] as const;
  });
  const same =
    entries.length === Object.keys(previous).length &&
    entries.every(([key, value]) => Object.hasOwn(previous, key) && previous[key] === value);
  // From entries, because a key may be "__proto__".
  return same ? previous : Object.fromEntries(entries);
}
