/// <reference path="../.cache/pocketbase/types.d.ts" />
/** Whose medium it is may close its comments: `commentsClosed` (pb_hooks/src/social.ts). */
migrate(
  (app) => {
    const media = app.findCollectionByNameOrId("media");
    media.fields.add(new BoolField({ name: "commentsClosed" }));
    app.save(media);

    const run = (sql) => app.db().newQuery(sql).execute();
    const columns = `userId caption tags type file thumbnail preview subtitles width height duration
      thumbhash alt originalFilename fileSize contentType likes comments commentsClosed
      createdAt`.split(/\s+/);
    const changed = columns.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
    run("DROP TRIGGER media_seq_update");
    run(`CREATE TRIGGER media_seq_update AFTER UPDATE OF ${columns.join(", ")} ON media
      WHEN ${changed} BEGIN UPDATE _seq SET v = v + 1, guard = guard + 1;
      UPDATE media SET seq = (SELECT v FROM _seq) WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
  },
  () => {
    throw new Error("Older versions would open the comments again: restore a backup instead.");
  },
);
