/// <reference path="../.cache/pocketbase/types.d.ts" />
/** Previews may be WebP: less than half the bytes of a JPEG that looks alike. Those that are there stay what they are. */
migrate(
  (app) => {
    const media = app.findCollectionByNameOrId("media");
    media.fields.getByName("preview").mimeTypes = ["image/jpeg", "image/webp"];
    app.save(media);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
