/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * The rules of PocketBase's limiter are written whenever the settings row `app` is saved
 * (pb_hooks/src/limits). At the first start nothing else would bring those up to date that an
 * earlier migration wrote.
 */
migrate(
  (app) => {
    app.save(app.findRecordById("settings", "app"));
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
