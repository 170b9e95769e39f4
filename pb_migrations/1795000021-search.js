/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * What the search looks for media in: a full-text table of trigrams, which finds any three letters in a row, whatever their
 * case and accents. Triggers keep it right, whoever writes. A medium's number `n` grows with its age, so that the first rows
 * of an answer are the newest and the search stops at the page's end; 100,000 media may share one millisecond.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("CREATE TABLE _search_media (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)");
    // The words are not kept a second time: three letters in a row are all that is needed of them.
    run(`CREATE VIRTUAL TABLE _search_media_words USING fts5(words, kind, content = '', contentless_delete = 1,
      tokenize = 'trigram remove_diacritics 1')`);

    const tags = `(SELECT group_concat('#' || value, char(10))
      FROM json_each(CASE WHEN json_valid(tags) THEN tags ELSE '[]' END))`;
    const text = `caption || char(10) || '@' || username || char(10) || COALESCE(${tags}, '')`;
    // The tokenizer folds ä to a, but leaves ß alone.
    const words = `replace(replace(${text}, 'ß', 'ss'), 'ẞ', 'ss')`;
    // One trigram that no text has: a whole word would be three, each to be found at its place.
    const kind = "'§§' || substr(type, 1, 1)";
    const first =
      "((9999999999999 - CAST(round(COALESCE(unixepoch(createdAt, 'subsec'), 0) * 1000) AS INTEGER)) * 100000)";
    const drop = (row) => `DELETE FROM _search_media_words
        WHERE rowid = (SELECT n FROM _search_media WHERE id = ${row}.id);
      DELETE FROM _search_media WHERE id = ${row}.id;`;
    const add = `${drop("NEW")}
      INSERT OR IGNORE INTO _search_media (n, id) SELECT COALESCE((SELECT max(n) + 1 FROM _search_media
        WHERE n >= ${first} AND n < ${first} + 100000), ${first}), id FROM media WHERE id = NEW.id;
      INSERT INTO _search_media_words (rowid, words, kind) SELECT n, ${words}, ${kind}
        FROM media JOIN _search_media USING (id) WHERE id = NEW.id;`;
    run(`CREATE TRIGGER media_search_insert AFTER INSERT ON media BEGIN ${add} END`);
    run(`CREATE TRIGGER media_search_update AFTER UPDATE OF caption, tags, username, type, createdAt ON media
      BEGIN ${add} END`);
    run(`CREATE TRIGGER media_search_delete AFTER DELETE ON media BEGIN ${drop("OLD")} END`);
    // What is there already goes through the same triggers; nothing of it changes.
    run("UPDATE media SET caption = caption");

    // Popular: most likes, then most views, then the newest.
    run("CREATE INDEX idx_media_popular ON media (likes, views, createdAt, id)");
    run("CREATE INDEX idx_media_popular_type ON media (type, likes, views, createdAt, id)");
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    for (const event of ["insert", "update", "delete"]) run(`DROP TRIGGER media_search_${event}`);
    run("DROP TABLE _search_media_words");
    run("DROP TABLE _search_media");
    run("DROP INDEX idx_media_popular");
    run("DROP INDEX idx_media_popular_type");
  },
);
