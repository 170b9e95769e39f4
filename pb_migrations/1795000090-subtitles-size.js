/// <reference path="../.cache/pocketbase/types.d.ts" />
/** Subtitles count for what an account has stored: their bytes, and an index with all for the sum. */
migrate(
  (app) => {
    const media = app.findCollectionByNameOrId("media");
    media.fields.add(
      new NumberField({ name: "subtitlesSize", onlyInt: true, min: 0, hidden: true }),
    );
    media.removeIndex("idx_media_storage");
    media.addIndex("idx_media_storage", false, "userId, fileSize, subtitlesSize", "");
    app.save(media);

    const subtitled = app.findRecordsByFilter("media", "subtitles != ''");
    if (subtitled.length === 0) return;
    const files = app.newFilesystem();
    try {
      for (const record of subtitled) {
        const path = `${record.baseFilesPath()}/${record.getString("subtitles")}`;
        const bytes = files.exists(path) ? files.attributes(path).size : 0;
        app
          .db()
          .newQuery("UPDATE media SET subtitlesSize = {:bytes} WHERE id = {:id}")
          .bind({ bytes, id: record.id })
          .execute();
      }
    } finally {
      files.close();
    }
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
