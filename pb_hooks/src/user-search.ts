/** Accounts by part of a name or an address (`_user_search`), for admins only: addresses are nobody else's business. */

/** Up to this many finds are sorted; where there are more, the list's own order is walked and each row compared. */
const FINDS_SORTED = 1_000;
export const likeText = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** The condition of a search for `text` in names and addresses. */
export function searchOf(
  app: CoreApp,
  text: string,
): { where: string[]; binds: Record<string, string> } {
  if (text === "") return { where: [], binds: {} };
  if (text.length < 3) {
    // The index by name knows beginnings; three letters are what the other one takes.
    const binds = { from: text, until: `${text}\u{10ffff}` };
    return { where: ["u.username COLLATE NOCASE BETWEEN {:from} AND {:until}"], binds };
  }
  const match = `"${text.replace(/"/g, '""')}"`;
  const found = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery(
      `SELECT count(*) AS n FROM (SELECT 1 FROM _user_search WHERE _user_search MATCH {:match} LIMIT ${FINDS_SORTED + 1})`,
    )
    .bind({ match })
    .one(found);
  if (found.n > FINDS_SORTED) {
    const binds = { like: `%${likeText(text)}%` };
    return {
      where: ["u.username LIKE {:like} ESCAPE '\\' OR u.email LIKE {:like} ESCAPE '\\'"],
      binds,
    };
  }
  const ids = `SELECT id FROM _user_numbers WHERE n IN (SELECT rowid FROM _user_search WHERE _user_search MATCH {:match})`;
  return { where: [`u.id IN (${ids})`], binds: { match } };
}
