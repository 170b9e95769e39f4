/// <reference path="../.cache/pocketbase/types.d.ts" />
/** The feed asks for tombstones by who may learn of them: each side of that question has an index in the feed's order. */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("CREATE INDEX idx_tombs_pub ON _tombs (seq) WHERE pub = 1");
    run("CREATE INDEX idx_tombs_a ON _tombs (a, seq)");
    run("CREATE INDEX idx_tombs_b ON _tombs (b, seq)");
  },
  (app) => {
    for (const name of ["idx_tombs_pub", "idx_tombs_a", "idx_tombs_b"]) {
      app.db().newQuery(`DROP INDEX ${name}`).execute();
    }
  },
);
