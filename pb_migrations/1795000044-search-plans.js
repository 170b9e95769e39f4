/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * The triggers of 1795000021-search again, so that SQLite has one way to carry each out. By
 * statistics taken while the tables held one row, to look for the last number of a millisecond
 * meant to go through all numbers, at every upload.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const tags = `(SELECT group_concat('#' || value, char(10))
      FROM json_each(CASE WHEN json_valid(tags) THEN tags ELSE '[]' END))`;
    const text = `caption || char(10) || '@' || username || char(10) || COALESCE(${tags}, '')`;
    const words = `replace(replace(${text}, 'ß', 'ss'), 'ẞ', 'ss')`;
    const kind = "'§§' || substr(type, 1, 1)";
    const first =
      "((9999999999999 - CAST(round(COALESCE(unixepoch(createdAt, 'subsec'), 0) * 1000) AS INTEGER)) * 100000)";
    const byId = "_search_media INDEXED BY sqlite_autoindex__search_media_1";
    // Of media of the same millisecond each has another count of changes.
    const place = (times) => `${first} + (SELECT v FROM _seq) * ${times} % 100000`;
    const number = `(SELECT n FROM ${byId} WHERE id = NEW.id)`;
    const own = "media INDEXED BY sqlite_autoindex_media_1 WHERE id = NEW.id";
    const refill = `DELETE FROM _search_media_words WHERE rowid = ${number};
      DELETE FROM _search_media WHERE n = ${number};
      INSERT OR IGNORE INTO _search_media (n, id) SELECT ${place(1)}, id FROM ${own};
      INSERT OR IGNORE INTO _search_media (n, id) SELECT ${place(7919)}, id FROM ${own};
      INSERT INTO _search_media_words (rowid, words, kind) SELECT ${number}, ${words}, ${kind} FROM ${own};`;
    for (const event of ["insert", "update"]) run(`DROP TRIGGER media_search_${event}`);
    run(`CREATE TRIGGER media_search_insert AFTER INSERT ON media BEGIN ${refill} END`);
    run(`CREATE TRIGGER media_search_update AFTER UPDATE OF caption, tags, username, type, createdAt ON media
      BEGIN ${refill} END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
