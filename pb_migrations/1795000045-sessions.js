/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Where an account is signed in: a row for each device. Whatever gives an account a new `tokenKey`
 * (password, address, suspension, dashboard) ends its tokens, and with them all its sessions but
 * those that were marked `kept` in the same transaction. `_guesses` counts the wrong passwords
 * since the last sign-in.
 */
migrate(
  (app) => {
    const users = app.findCollectionByNameOrId("users");
    users.authToken.duration = 24 * 3600;
    app.save(users);
    app.save(
      new Collection({
        type: "base",
        name: "sessions",
        fields: [
          {
            type: "relation",
            name: "userId",
            required: true,
            maxSelect: 1,
            collectionId: users.id,
            cascadeDelete: true,
          },
          { type: "text", name: "secretHash", required: true, hidden: true, max: 64 },
          { type: "text", name: "device", max: 80 },
          { type: "bool", name: "kept", hidden: true },
          { type: "date", name: "lastSeenAt", required: true },
          { type: "autodate", name: "createdAt", onCreate: true },
        ],
        indexes: [
          "CREATE INDEX idx_sessions_user ON sessions (userId, lastSeenAt)",
          "CREATE INDEX idx_sessions_seen ON sessions (lastSeenAt)",
        ],
      }),
    );
    const run = (sql) => app.db().newQuery(sql).execute();
    run(`CREATE TRIGGER users_sessions AFTER UPDATE OF tokenKey ON users
      WHEN NEW.tokenKey IS NOT OLD.tokenKey BEGIN
      DELETE FROM sessions WHERE userId = NEW.id AND kept = FALSE;
      UPDATE sessions SET kept = FALSE WHERE userId = NEW.id; END`);
    run("CREATE TABLE _guesses (userId TEXT PRIMARY KEY, n INTEGER NOT NULL, at TEXT NOT NULL)");
    run(`CREATE TRIGGER users_guesses AFTER DELETE ON users
      BEGIN DELETE FROM _guesses WHERE userId = OLD.id; END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
