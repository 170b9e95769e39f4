/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * What the panel counts, kept row by row so that a page costs the same with a hundred rows as with a million:
 * `_counts` the totals, `_daily` what came into being on each day (UTC) and still stands. And the orders in which
 * the panel pages, and the number of each report.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();

    const addTo = (name, fields, indexes) => {
      const collection = app.findCollectionByNameOrId(name);
      for (const field of fields) collection.fields.add(field);
      collection.indexes = [...collection.indexes, ...indexes];
      app.save(collection);
    };
    addTo(
      "users",
      [],
      [
        "CREATE INDEX idx_users_created ON users (createdAt, id)",
        "CREATE INDEX idx_users_followers ON users (followers, id)",
        "CREATE INDEX idx_users_media ON users (mediaCount, id)",
        "CREATE INDEX idx_users_admins ON users (createdAt, id) WHERE isAdmin = TRUE",
        "CREATE INDEX idx_users_suspended ON users (createdAt, id) WHERE isBlocked = TRUE",
        "CREATE INDEX idx_users_silent ON users (createdAt, id) WHERE chatDisabled = TRUE",
      ],
    );
    addTo(
      "media",
      [],
      ["CREATE INDEX idx_media_reported ON media (reports, id) WHERE reports > 0"],
    );
    addTo(
      "reports",
      [new NumberField({ name: "number", onlyInt: true, min: 0 })],
      [
        "CREATE INDEX idx_reports_number ON reports (number)",
        "CREATE INDEX idx_reports_judged ON reports (status, number)",
      ],
    );
    addTo(
      "audit",
      [],
      [
        "CREATE INDEX idx_audit_actor ON audit (actor, createdAt, id)",
        "CREATE INDEX idx_audit_action ON audit (action, createdAt, id)",
        "CREATE INDEX idx_audit_target ON audit (target, createdAt, id)",
      ],
    );

    run("CREATE TABLE _counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID");
    run(`CREATE TABLE _daily (day TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
      PRIMARY KEY (day, name)) WITHOUT ROWID`);

    /** `facts`: [name, condition on a row, whether it is also counted by day]; `columns` are what conditions read. */
    const count = (table, columns, facts) => {
      const change = (row, sign) =>
        facts
          .map(([name, holds, byDay]) => {
            const is = holds.replaceAll("ROW", row);
            const total = `UPDATE _counts SET n = n ${sign} 1 WHERE name = '${name}' AND (${is});`;
            const day = `INSERT INTO _daily SELECT substr(${row}.createdAt, 1, 10), '${name}', ${sign}1 WHERE ${is}
              ON CONFLICT (day, name) DO UPDATE SET n = n ${sign} 1;`;
            return byDay ? total + day : total;
          })
          .join(" ");
      const shown = [...columns, "createdAt"];
      const changed = shown.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(" OR ");
      for (const [name, holds, byDay] of facts) {
        const rows = `FROM ${table} r WHERE ${holds.replaceAll("ROW", "r")}`;
        run(`INSERT INTO _counts SELECT '${name}', count(*) ${rows}`);
        if (byDay) {
          run(
            `INSERT INTO _daily SELECT substr(createdAt, 1, 10), '${name}', count(*) ${rows} GROUP BY 1`,
          );
        }
      }
      run(
        `CREATE TRIGGER ${table}_total_insert AFTER INSERT ON ${table} BEGIN ${change("NEW", "+")} END`,
      );
      run(
        `CREATE TRIGGER ${table}_total_delete AFTER DELETE ON ${table} BEGIN ${change("OLD", "-")} END`,
      );
      run(`CREATE TRIGGER ${table}_total_update AFTER UPDATE OF ${shown.join(", ")} ON ${table}
        WHEN ${changed} BEGIN ${change("OLD", "-")} ${change("NEW", "+")} END`);
    };
    count(
      "users",
      ["isAdmin", "isBlocked"],
      [
        ["users", "TRUE", true],
        ["admins", "ROW.isAdmin", false],
        ["suspended", "ROW.isBlocked", false],
      ],
    );
    count(
      "media",
      ["type"],
      [
        ["photos", "ROW.type != 'video'", true],
        ["videos", "ROW.type = 'video'", true],
      ],
    );
    count("likes", [], [["likes", "TRUE", true]]);
    count("comments", [], [["comments", "TRUE", true]]);
    count("conversations", [], [["conversations", "TRUE", false]]);
    count("messages", [], [["messages", "TRUE", true]]);
    count(
      "reports",
      ["status"],
      [
        ["reports", "TRUE", true],
        ["openReports", "ROW.status = 'open'", false],
      ],
    );
    count("audit", [], [["audit", "TRUE", false]]);

    // Given once and never again, also when the report with the highest number goes.
    run(`UPDATE reports SET number = (SELECT count(*) FROM reports o
      WHERE (o.createdAt, o.id) <= (reports.createdAt, reports.id))`);
    run("INSERT INTO _counts SELECT 'reportNumber', count(*) FROM reports");
    run(`CREATE TRIGGER reports_number AFTER INSERT ON reports BEGIN
      UPDATE _seq SET guard = guard + 1;
      UPDATE _counts SET n = n + 1 WHERE name = 'reportNumber';
      UPDATE reports SET number = (SELECT n FROM _counts WHERE name = 'reportNumber') WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
    run(`CREATE TRIGGER reports_number_keep AFTER UPDATE OF number ON reports
      WHEN (SELECT guard FROM _seq) = 0 AND NEW.number IS NOT OLD.number BEGIN
      UPDATE _seq SET guard = guard + 1; UPDATE reports SET number = OLD.number WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);

    // Names and addresses by any three letters of them. The numbers are ours, because VACUUM may change a table's own.
    run("CREATE TABLE _user_numbers (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)");
    run("CREATE VIRTUAL TABLE _user_search USING fts5(username, email, tokenize = 'trigram')");
    const number = (row) => `(SELECT n FROM _user_numbers WHERE id = ${row}.id)`;
    run("INSERT INTO _user_numbers (id) SELECT id FROM users");
    run(`INSERT INTO _user_search (rowid, username, email)
      SELECT n, username, email FROM users JOIN _user_numbers USING (id)`);
    run(`CREATE TRIGGER users_search_insert AFTER INSERT ON users BEGIN
      INSERT INTO _user_numbers (id) VALUES (NEW.id);
      INSERT INTO _user_search (rowid, username, email) VALUES (${number("NEW")}, NEW.username, NEW.email); END`);
    run(`CREATE TRIGGER users_search_update AFTER UPDATE OF username, email ON users
      WHEN NEW.username IS NOT OLD.username OR NEW.email IS NOT OLD.email BEGIN
      UPDATE _user_search SET username = NEW.username, email = NEW.email WHERE rowid = ${number("NEW")}; END`);
    run(`CREATE TRIGGER users_search_delete AFTER DELETE ON users BEGIN
      DELETE FROM _user_search WHERE rowid = ${number("OLD")};
      DELETE FROM _user_numbers WHERE id = OLD.id; END`);
  },
  () => {
    throw new Error("The panel's counts have no way back: restore a backup instead.");
  },
);
