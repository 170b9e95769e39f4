/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Devices on which an account was signed in and is no more. A wrong password that one of them sends
 * counts for it alone, so that a stranger's guesses do not lock out whoever comes back.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run(`CREATE TABLE _devices (id TEXT PRIMARY KEY, userId TEXT NOT NULL, secretHash TEXT NOT NULL,
      lastSeenAt TEXT NOT NULL)`);
    run("CREATE INDEX idx__devices_user ON _devices (userId, lastSeenAt)");
    // At the end of an account its row goes before its sessions.
    run(`CREATE TRIGGER sessions_devices AFTER DELETE ON sessions
      WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.userId) BEGIN
      INSERT OR REPLACE INTO _devices (id, userId, secretHash, lastSeenAt)
        VALUES (OLD.id, OLD.userId, OLD.secretHash, OLD.lastSeenAt);
      DELETE FROM _devices WHERE id IN (SELECT id FROM _devices WHERE userId = OLD.userId
        ORDER BY lastSeenAt DESC LIMIT -1 OFFSET 50); END`);
    run(`CREATE TRIGGER users_devices AFTER DELETE ON users
      BEGIN DELETE FROM _devices WHERE userId = OLD.id; END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
