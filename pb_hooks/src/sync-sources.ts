/**
 * Which rows of which table a caller of the feed may see. These filters are the feed's own: a list rule may be
 * wider (an admin reads the chats of others in the panel, never in the feed).
 */
export interface Source {
  collection: string;
  /** Where `seq` is indexed: the table, for a collection that is a view over one. */
  table: string;
  /** Columns one of which must be the caller's id; empty for rows that everyone sees. Each is indexed with `seq`. */
  people: readonly string[];
}

const SOURCES: readonly Source[] = [
  { collection: "media", table: "media", people: [] },
  { collection: "profiles", table: "users", people: [] },
  { collection: "comments", table: "comments", people: [] },
  { collection: "settings", table: "settings", people: [] },
  { collection: "likes", table: "likes", people: ["userId"] },
  { collection: "follows", table: "follows", people: ["followerId", "followingId"] },
  { collection: "blocks", table: "blocks", people: ["blockerId"] },
  { collection: "conversations", table: "conversations", people: ["userA", "userB"] },
  { collection: "messages", table: "messages", people: ["senderId", "recipientId"] },
];

const PUBLIC_SOURCES = SOURCES.filter((source) => source.people.length === 0);

/** `userId` "" is a guest. */
export const sourcesFor = (userId: string): readonly Source[] =>
  userId === "" ? PUBLIC_SOURCES : SOURCES;

const RANGE = "seq > {:since} AND seq <= {:until}";

/** What the plan calls the tombstones; no collection has this name. */
export const TOMBSTONES = "_tombs";

/** `a` and `b` are never the same person. */
const tombstoneSides = (userId: string): string[] =>
  userId === "" ? ["pub = 1"] : ["pub = 1", "a = {:me}", "b = {:me}"];

/**
 * Every part is answered by one index in the order of `seq`, so SQLite merges them row by row and stops at the limit,
 * however much lies behind it.
 */
function planOf(userId: string): string {
  const part = (label: string, table: string, condition: string): string =>
    `SELECT '${label}' AS source, seq FROM ${table} WHERE ${condition}${RANGE}`;
  const parts = sourcesFor(userId).flatMap(({ collection, table, people }) =>
    people.length === 0
      ? [part(collection, table, "")]
      : people.map((column) => part(collection, table, `${column} = {:me} AND `)),
  );
  const tombs = tombstoneSides(userId).map((side) => part(TOMBSTONES, "_tombs", `${side} AND `));
  const all = [...parts, ...tombs].join(" UNION ALL ");
  return `SELECT source, count(*) AS n, max(seq) AS last FROM (${all} ORDER BY seq LIMIT {:limit}) GROUP BY source`;
}

const GUEST_PLAN = planOf("");
const USER_PLAN = planOf("any");

/** The next `limit` changes of the caller in order, counted by source. */
export const planQuery = (userId: string): string => (userId === "" ? GUEST_PLAN : USER_PLAN);

/** The condition for the rows of `source` in the range. */
export const rowsCondition = (source: Source): string =>
  source.people.length === 0
    ? RANGE
    : `(${source.people.map((column) => `${column} = {:me}`).join(" OR ")}) AND ${RANGE}`;

export const tombstonesQuery = (userId: string): string =>
  `SELECT coll, rid FROM _tombs WHERE ${RANGE} AND (${tombstoneSides(userId).join(" OR ")}) ORDER BY seq`;
