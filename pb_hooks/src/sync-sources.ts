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

/** `userId` "" is a guest. */
export const sourcesFor = (userId: string): Source[] =>
  SOURCES.filter((source) => userId !== "" || source.people.length === 0);

const RANGE = "seq > {:since} AND seq <= {:until}";

/** One part of the plan: the first numbers of one table or of the tombstones. Each is answered by one index. */
const part = (label: string, table: string, condition: string): string =>
  `SELECT * FROM (SELECT '${label}' AS source, seq FROM ${table} WHERE ${condition}${RANGE} ORDER BY seq LIMIT {:limit})`;

/** What the plan calls the tombstones; no collection has this name. */
export const TOMBSTONES = "_tombs";

const tombstoneSides = (userId: string): string[] =>
  userId === ""
    ? ["pub = 1"]
    : ["pub = 1", "pub = 0 AND a = {:me}", "pub = 0 AND b = {:me} AND a != {:me}"];

/** The next `limit` changes of the caller in order, counted by source. */
export function planQuery(userId: string): string {
  const parts = sourcesFor(userId).flatMap(({ collection, table, people }) =>
    people.length === 0
      ? [part(collection, table, "")]
      : people.map((column) => part(collection, table, `${column} = {:me} AND `)),
  );
  const tombs = tombstoneSides(userId).map((side) => part(TOMBSTONES, "_tombs", `${side} AND `));
  const all = [...parts, ...tombs].join(" UNION ALL ");
  return `SELECT source, count(*) AS n, max(seq) AS last FROM (${all} ORDER BY seq LIMIT {:limit}) GROUP BY source`;
}

/** The condition for the rows of `source` in the range. */
export const rowsCondition = (source: Source): string =>
  source.people.length === 0
    ? RANGE
    : `(${source.people.map((column) => `${column} = {:me}`).join(" OR ")}) AND ${RANGE}`;

export const tombstonesQuery = (userId: string): string =>
  `SELECT coll, rid FROM _tombs WHERE ${RANGE} AND (${tombstoneSides(userId).join(" OR ")}) ORDER BY seq`;
