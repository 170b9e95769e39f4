/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Devices name how old the media are that they hold, and are not told of older ones. So what makes a
 * medium older than it was, or brings one that is old already (an import), concerns all of them:
 * the number in `_dated` is where that happened last, and a pull from before it has no window.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("CREATE TABLE _dated (n INTEGER NOT NULL)");
    run("INSERT INTO _dated VALUES (0)");
    // One more, because the number of the change itself may be given after this.
    const note = "BEGIN UPDATE _dated SET n = (SELECT v + 1 FROM _seq); END";
    run(`CREATE TRIGGER media_dated_update AFTER UPDATE OF createdAt ON media
      WHEN NEW.createdAt IS NOT OLD.createdAt ${note}`);
    run(`CREATE TRIGGER media_dated_insert AFTER INSERT ON media
      WHEN NEW.createdAt < strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-10 seconds') ${note}`);
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("DROP TRIGGER media_dated_insert");
    run("DROP TRIGGER media_dated_update");
    run("DROP TABLE _dated");
  },
);
