/** Accounts by part of a name or an address (`_user_search`), for admins only: addresses are nobody else's business. */

/** Up to this many finds are sorted; where there are more, the list's own order is walked and each row compared. */
const FINDS_SORTED = 1_000;
/** Letters that the index of parts needs. */
const PART_MIN = 3;

export const likeText = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

interface Search {
  where: string[];
  binds: Record<string, string>;
}

/** Whether `query`, which gives a row for each find, gives more than can be sorted in a moment. */
function isBroad(app: CoreApp, query: string, binds: Record<string, string>): boolean {
  const found = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery(`SELECT count(*) AS n FROM (${query} LIMIT ${FINDS_SORTED + 1})`)
    .bind(binds)
    .one(found);
  return found.n > FINDS_SORTED;
}

/** Names that begin so: the index by name knows these. The sign before a column keeps that index out of a walk. */
function beginningWith(app: CoreApp, text: string): Search {
  const binds = { from: text, until: `${text}\u{10ffff}` };
  const within = "username COLLATE NOCASE BETWEEN {:from} AND {:until}";
  if (!isBroad(app, `SELECT 1 FROM users WHERE ${within}`, binds)) {
    return { where: [`u.${within}`], binds };
  }
  return {
    where: ["+u.username LIKE {:like} ESCAPE '\\'"],
    binds: { like: `${likeText(text)}%` },
  };
}

/** The condition of a search for `text` in names and addresses; one or two letters: at a name's beginning. */
export function searchOf(app: CoreApp, text: string): Search {
  if (text === "") return { where: [], binds: {} };
  if (text.length < PART_MIN) return beginningWith(app, text);
  const binds = { match: `"${text.replace(/"/g, '""')}"` };
  const matching = "FROM _user_search WHERE _user_search MATCH {:match}";
  if (!isBroad(app, `SELECT 1 ${matching}`, binds)) {
    const numbers = `SELECT rowid ${matching}`;
    return {
      where: [`u.id IN (SELECT id FROM _user_numbers WHERE n IN (${numbers}))`],
      binds,
    };
  }
  return {
    where: ["u.username LIKE {:like} ESCAPE '\\' OR u.email LIKE {:like} ESCAPE '\\'"],
    binds: { like: `%${likeText(text)}%` },
  };
}
