/// <reference path="../pb_hooks/dist/types.d.ts" />
/** The three settings rows, empty: the operator fills them. And the book of who saw what lately. */
migrate(
  (app) => {
    const settings = app.findCollectionByNameOrId("settings");
    for (const id of ["app", "terms", "privacy"]) {
      const row = new Record(settings);
      row.set("id", id);
      row.set("limits", {});
      app.save(row);
    }
    const run = (sql) => app.db().newQuery(sql).execute();
    // Who viewed which medium when (unix seconds), and media whose new counts were not announced yet.
    run(`CREATE TABLE _views (media TEXT NOT NULL, viewer TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (media, viewer)) WITHOUT ROWID`);
    run("CREATE INDEX idx_views_at ON _views (at)");
    run("CREATE TABLE _views_dirty (media TEXT PRIMARY KEY) WITHOUT ROWID");
    run(`CREATE TRIGGER media_views_dirty AFTER UPDATE OF views ON media WHEN NEW.views IS NOT OLD.views
      BEGIN INSERT INTO _views_dirty (media) VALUES (NEW.id) ON CONFLICT (media) DO NOTHING; END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
