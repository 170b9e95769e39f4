/// <reference path="../.cache/pocketbase/types.d.ts" />
/** A suspension may end by itself: at `blockedUntil`, "" for never (pb_hooks/src/people.ts). */
migrate(
  (app) => {
    const users = app.findCollectionByNameOrId("users");
    users.fields.add(new DateField({ name: "blockedUntil" }));
    users.indexes = [
      ...users.indexes,
      "CREATE INDEX idx_users_blocked_until ON users (blockedUntil) WHERE isBlocked = TRUE AND blockedUntil != ''",
    ];
    app.save(users);
  },
  (app) => {
    const users = app.findCollectionByNameOrId("users");
    users.fields.removeByName("blockedUntil");
    users.indexes = users.indexes.filter((sql) => !sql.includes("idx_users_blocked_until"));
    app.save(users);
  },
);
