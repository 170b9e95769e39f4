/// <reference path="../.cache/pocketbase/types.d.ts" />
/** The `Upload-Metadata` of an upload as its client sent it, with which a HEAD is answered. */
migrate(
  (app) => {
    const uploads = app.findCollectionByNameOrId("uploads");
    uploads.fields.add(new TextField({ name: "metadataHeader", max: 8_000 }));
    app.save(uploads);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
