/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * In a place of the search's first days, media are in its tables without the mark of their kind and
 * without the @ before a name, and were not found by these until somebody changed them. They keep
 * their numbers and get the words that today's triggers would give them.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const unmarked = `n NOT IN (SELECT rowid FROM _search_media_words
      WHERE _search_media_words MATCH 'kind : ("§§p" OR "§§v")')`;
    const tags = `(SELECT group_concat('#' || value, char(10))
      FROM json_each(CASE WHEN json_valid(tags) THEN tags ELSE '[]' END))`;
    const text = `caption || char(10) || '@' || username || char(10) || COALESCE(${tags}, '')`;
    run(`DELETE FROM _search_media_words
      WHERE rowid IN (SELECT n FROM _search_media WHERE ${unmarked})`);
    run(`INSERT INTO _search_media_words (rowid, words, kind)
      SELECT n, replace(replace(${text}, 'ß', 'ss'), 'ẞ', 'ss'), '§§' || substr(type, 1, 1)
        FROM _search_media JOIN media USING (id) WHERE ${unmarked}`);
  },
  () => {},
);
