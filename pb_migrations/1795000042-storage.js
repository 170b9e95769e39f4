/// <reference path="../.cache/pocketbase/types.d.ts" />
/** What an account has stored is summed up at each upload: this index has all that is needed. */
migrate(
  (app) => {
    const media = app.findCollectionByNameOrId("media");
    media.addIndex("idx_media_storage", false, "userId, fileSize", "");
    app.save(media);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
