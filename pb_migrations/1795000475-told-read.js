/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Who was told of what was taken back: what he reads while it is gone is read when it returns
 * (`markRead` in pb_hooks/src/notifications.ts).
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("ALTER TABLE _told ADD COLUMN userId TEXT NOT NULL DEFAULT ''");
    run("CREATE INDEX idx_told_user ON _told (userId, createdAt)");
    run("DROP TRIGGER notifications_told");
    run(`CREATE TRIGGER notifications_told AFTER DELETE ON notifications
      WHEN OLD.kind IN ('like', 'follow', 'mention')
        AND OLD.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 days') BEGIN
      INSERT OR REPLACE INTO _told (id, createdAt, readAt, userId)
        VALUES (OLD.id, OLD.createdAt, OLD.readAt, OLD.userId); END`);
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run("DROP TRIGGER notifications_told");
    run("DROP INDEX idx_told_user");
    run("ALTER TABLE _told DROP COLUMN userId");
    run(`CREATE TRIGGER notifications_told AFTER DELETE ON notifications
      WHEN OLD.kind IN ('like', 'follow', 'mention')
        AND OLD.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 days') BEGIN
      INSERT OR REPLACE INTO _told VALUES (OLD.id, OLD.createdAt, OLD.readAt); END`);
  },
);
