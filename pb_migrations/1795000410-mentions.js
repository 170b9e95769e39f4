/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Whoever a comment or a caption names is told of it (pb_hooks/src/notifications.ts): the row's id
 * is "mention", the id of what names him, and his. It goes with what names him, and what names him
 * again within a day has its row back as it was.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    for (const table of ["comments", "media"])
      run(`CREATE TRIGGER ${table}_unmention AFTER DELETE ON ${table} BEGIN
        DELETE FROM notifications WHERE id > 'mention_' || OLD.id || '_'
          AND id < 'mention_' || OLD.id || char(96); END`);
    run("DROP TRIGGER notifications_told");
    run(`CREATE TRIGGER notifications_told AFTER DELETE ON notifications
      WHEN OLD.kind IN ('like', 'follow', 'mention')
        AND OLD.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 days') BEGIN
      INSERT OR REPLACE INTO _told VALUES (OLD.id, OLD.createdAt, OLD.readAt); END`);
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    for (const table of ["comments", "media"]) run(`DROP TRIGGER ${table}_unmention`);
    run("DROP TRIGGER notifications_told");
    run(`CREATE TRIGGER notifications_told AFTER DELETE ON notifications
      WHEN OLD.kind IN ('like', 'follow')
        AND OLD.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 days') BEGIN
      INSERT OR REPLACE INTO _told VALUES (OLD.id, OLD.createdAt, OLD.readAt); END`);
  },
);
