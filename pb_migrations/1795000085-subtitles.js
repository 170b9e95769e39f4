/// <reference path="../.cache/pocketbase/types.d.ts" />
/** The subtitles of a video: a WebVTT file that `pb_hooks/src/media.ts` makes of the owner's text. */
migrate(
  (app) => {
    const media = app.findCollectionByNameOrId("media");
    // Four bytes for each of the characters of src/domain/subtitles.ts.
    media.fields.add(new FileField({ name: "subtitles", maxSelect: 1, maxSize: 800_000 }));
    app.save(media);

    const run = (sql) => app.db().newQuery(sql).execute();
    const columns = `userId caption tags type file thumbnail preview subtitles width height duration
      thumbhash alt originalFilename fileSize contentType likes comments createdAt`.split(/\s+/);
    const changed = columns.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
    run("DROP TRIGGER media_seq_update");
    run(`CREATE TRIGGER media_seq_update AFTER UPDATE OF ${columns.join(", ")} ON media
      WHEN ${changed} BEGIN UPDATE _seq SET v = v + 1, guard = guard + 1;
      UPDATE media SET seq = (SELECT v FROM _seq) WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
