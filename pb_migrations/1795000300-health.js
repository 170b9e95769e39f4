/// <reference path="../.cache/pocketbase/types.d.ts" />
/** Figures of each day (UTC) for the panel's Health, that no other table counts (pb_hooks/src/admin/health.ts). */
migrate(
  (app) => {
    app
      .db()
      .newQuery(
        `CREATE TABLE _health (day TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
          PRIMARY KEY (day, name)) WITHOUT ROWID`,
      )
      .execute();
  },
  (app) => {
    app.db().newQuery("DROP TABLE _health").execute();
  },
);
