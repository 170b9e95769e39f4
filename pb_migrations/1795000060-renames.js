/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * A new name is one change in the feed, that of the profile. Its copies on media and comments are
 * written with it, but get no number of their own: a device puts the profile's name on what it holds.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const shown = {
      media: `userId caption tags type file thumbnail preview width height duration thumbhash alt
        originalFilename fileSize contentType likes comments createdAt`,
      comments: "text createdAt",
    };
    for (const [table, names] of Object.entries(shown)) {
      const columns = names.split(/\s+/);
      const changed = columns.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
      run(`DROP TRIGGER ${table}_seq_update`);
      run(`CREATE TRIGGER ${table}_seq_update AFTER UPDATE OF ${columns.join(", ")} ON ${table}
        WHEN ${changed} BEGIN UPDATE _seq SET v = v + 1, guard = guard + 1;
        UPDATE ${table} SET seq = (SELECT v FROM _seq) WHERE rowid = NEW.rowid;
        UPDATE _seq SET guard = guard - 1; END`);
    }
  },
  () => {
    throw new Error("Devices count on it: restore a backup instead.");
  },
);
