/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Lists are answered by routes of ours (pb_hooks/src/http/records), so PocketBase's own list is for
 * superusers alone; and nothing is expanded backwards, because one row may have thousands of rows
 * that point to it.
 */
migrate(
  (app) => {
    const forwards = '(@request.query.expand:isset = false || @request.query.expand !~ "_via_")';
    for (const collection of app.findAllCollections()) {
      if (collection.system) continue;
      const { viewRule } = collection;
      collection.listRule = null;
      const open = `${viewRule ?? ""}`;
      // A null rule is for superusers alone, an empty one for everybody.
      if (viewRule !== null)
        collection.viewRule = open === "" ? forwards : `(${open}) && ${forwards}`;
      app.save(collection);
    }
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
