/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Which media have a tag, in their list or in their caption (pb_hooks/src/tags.ts): `tag` without
 * case and accents, `written` as its medium has it. A hook writes them with the medium, because
 * SQLite folds no letters beyond ASCII. What was there before waits for it in `_untagged`.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run(`CREATE TABLE _media_tags (tag TEXT NOT NULL, createdAt TEXT NOT NULL, mediaId TEXT NOT NULL,
      userId TEXT NOT NULL, written TEXT NOT NULL, PRIMARY KEY (tag, createdAt, mediaId)) WITHOUT ROWID`);
    run("CREATE INDEX idx_media_tags_media ON _media_tags (mediaId)");
    run("CREATE INDEX idx_media_tags_created ON _media_tags (createdAt)");
    run("CREATE TABLE _untagged (id TEXT PRIMARY KEY) WITHOUT ROWID");
    run(`INSERT INTO _untagged SELECT id FROM media
      WHERE instr(caption, '#') > 0 OR COALESCE(tags, '') NOT IN ('', '[]', 'null')`);
    run(`CREATE TRIGGER media_untag AFTER DELETE ON media BEGIN
      DELETE FROM _media_tags WHERE mediaId = OLD.id; END`);
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("DROP TRIGGER media_untag");
    run("DROP TABLE _media_tags");
    run("DROP TABLE _untagged");
  },
);
