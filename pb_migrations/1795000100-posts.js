/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Posts: up to ten media of one account under one id, which its device made, each at a place of its
 * own. Both are given when a medium is created and never change.
 */
migrate(
  (app) => {
    const media = app.findCollectionByNameOrId("media");
    media.fields.add(new TextField({ name: "post", max: 15, pattern: "^[a-z0-9]{15}$" }));
    media.fields.add(new NumberField({ name: "postIndex", onlyInt: true, min: 0, max: 9 }));
    media.addIndex("idx_media_post", true, "post, postIndex", "post != ''");
    app.save(media);

    const run = (sql) => app.db().newQuery(sql).execute();
    run(`CREATE TRIGGER media_post_insert BEFORE INSERT ON media
      WHEN NEW.post != '' AND EXISTS
        (SELECT 1 FROM media WHERE post = NEW.post AND post != '' AND userId != NEW.userId)
      BEGIN SELECT RAISE(ABORT, 'post_foreign'); END`);
    run(`CREATE TRIGGER media_post_update BEFORE UPDATE OF post, postIndex ON media
      WHEN NEW.post IS NOT OLD.post OR NEW.postIndex IS NOT OLD.postIndex
      BEGIN SELECT RAISE(ABORT, 'post_fixed'); END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
