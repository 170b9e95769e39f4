/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Web Push (pb_hooks/src/push.ts). `_subscriptions` has the devices that want to be woken, one for
 * a session, with which it ends. `_pushes` has those that are to be woken now: triggers write it
 * with the event itself, one row for a device however much happens. `_push_keys` has the place's
 * own pair of keys.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run(`CREATE TABLE _subscriptions (session TEXT PRIMARY KEY, userId TEXT NOT NULL,
      endpoint TEXT NOT NULL UNIQUE, kinds INTEGER NOT NULL, quiet TEXT NOT NULL,
      sentAt INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`);
    run("CREATE INDEX idx_subscriptions_user ON _subscriptions (userId)");
    // `due`: when it is wanted, in seconds; `held`: not before, because it is being sent, or is to be
    // tried again, or because of quiet hours.
    run(`CREATE TABLE _pushes (session TEXT PRIMARY KEY, n INTEGER NOT NULL DEFAULT 1,
      since INTEGER NOT NULL, due INTEGER NOT NULL, held INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`);
    run("CREATE INDEX idx_pushes_due ON _pushes (max(due, held))");
    run(`CREATE TABLE _push_keys (one INTEGER PRIMARY KEY CHECK (one = 1), publicKey TEXT NOT NULL,
      privateKey TEXT NOT NULL)`);

    run(`CREATE TRIGGER sessions_subscriptions AFTER DELETE ON sessions
      BEGIN DELETE FROM _subscriptions WHERE session = OLD.id; END`);
    run(`CREATE TRIGGER subscriptions_pushes AFTER DELETE ON _subscriptions
      BEGIN DELETE FROM _pushes WHERE session = OLD.session; END`);

    /**
     * @param kind its bit in `kinds` (src/domain/push.ts) @param who whose act it is
     * @param whom who is to hear of it @param pause the least since the device was woken last, in
     *   seconds: what can be done and undone at will wakes nobody each time
     * @param isFresh false for what is imported
     */
    const wake = (table, { kind, who, whom, pause, isFresh }) =>
      run(`CREATE TRIGGER ${table}_push AFTER INSERT ON ${table} WHEN ${isFresh} BEGIN
        INSERT INTO _pushes (session, since, due)
          SELECT session, unixepoch(), max(unixepoch(), sentAt + ${pause}) FROM _subscriptions
          WHERE userId = ${whom} AND userId != ${who} AND kinds & ${kind}
          AND NOT EXISTS (SELECT 1 FROM blocks WHERE id = userId || '_' || ${who})
          ON CONFLICT (session) DO UPDATE SET n = n + 1, due = min(due, excluded.due); END`);
    const isFresh = "NEW.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 hours')";
    const owner = "(SELECT m.userId FROM media m WHERE m.id = NEW.mediaId)";
    wake("messages", {
      kind: 1,
      who: "NEW.senderId",
      whom: "NEW.recipientId",
      pause: 20,
      isFresh: `${isFresh} AND NOT NEW.read AND NOT NEW.deleted`,
    });
    const ofMedia = { who: "NEW.userId", whom: owner, isFresh };
    wake("comments", { ...ofMedia, kind: 2, pause: 60 });
    wake("likes", { ...ofMedia, kind: 4, pause: 900 });
    const people = { who: "NEW.followerId", whom: "NEW.followingId" };
    wake("follows", { ...people, kind: 8, pause: 900, isFresh });
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    for (const table of ["messages", "comments", "likes", "follows"])
      run(`DROP TRIGGER ${table}_push`);
    run("DROP TRIGGER sessions_subscriptions");
    for (const table of ["_push_keys", "_pushes", "_subscriptions"]) run(`DROP TABLE ${table}`);
  },
);
