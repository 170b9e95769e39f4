/// <reference path="../.cache/pocketbase/types.d.ts" />
/** A suspended admin is none: also with a token that was made after the suspension, as a superuser can. */
migrate(
  (app) => {
    const admin = "@request.auth.isAdmin = true";
    const active = `(${admin} && @request.auth.isBlocked = false)`;
    const kinds = ["listRule", "viewRule", "createRule", "updateRule", "deleteRule"];
    for (const collection of app.findAllCollections()) {
      const named = kinds.filter((kind) => (collection[kind] ?? "").includes(admin));
      for (const kind of named) collection[kind] = collection[kind].replaceAll(admin, active);
      if (named.length > 0) app.save(collection);
    }
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
