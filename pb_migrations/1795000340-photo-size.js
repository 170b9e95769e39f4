/// <reference path="../.cache/pocketbase/types.d.ts" />
/** Chat photos count for what an account has stored: their bytes, and an index with all for the sum. */
migrate(
  (app) => {
    const messages = app.findCollectionByNameOrId("messages");
    messages.fields.add(
      new NumberField({ name: "photoSize", onlyInt: true, min: 0, hidden: true }),
    );
    messages.addIndex("idx_messages_storage", false, "senderId, photoSize", "photoSize > 0");
    app.save(messages);

    const photos = arrayOf(new DynamicModel({ id: "", image: "" }));
    app.db().newQuery("SELECT id, image FROM messages WHERE image != ''").all(photos);
    if (photos.length === 0) return;
    const files = app.newFilesystem();
    try {
      for (const { id, image } of photos) {
        const path = `${messages.baseFilesPath()}/${id}/${image}`;
        const bytes = files.exists(path) ? files.attributes(path).size : 0;
        app
          .db()
          .newQuery("UPDATE messages SET photoSize = {:bytes} WHERE id = {:id}")
          .bind({ bytes, id })
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
