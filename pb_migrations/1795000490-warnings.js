/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * An admin may warn somebody: a notification of a kind of its own (pb_hooks/src/notifications.ts),
 * which nobody turns off, and which no flood of others takes away.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const notifications = app.findCollectionByNameOrId("notifications");
    const kind = notifications.fields.getByName("kind");
    kind.values = [...kind.values, "warning"];
    const manyOf = (row) =>
      ["report", "removal", "warning"].map((one) => `${row}kind != '${one}'`).join(" AND ");
    const many = manyOf("");
    notifications.indexes = notifications.indexes.map((sql) =>
      sql.includes("idx_notifications_many")
        ? `CREATE INDEX idx_notifications_many ON notifications (userId, createdAt) WHERE ${many}`
        : sql,
    );
    run("DROP TRIGGER notifications_bound");
    app.save(notifications);
    run(`CREATE TRIGGER notifications_bound AFTER INSERT ON notifications WHEN ${manyOf("NEW.")} BEGIN
      DELETE FROM notifications WHERE rowid IN (SELECT rowid FROM notifications
        WHERE userId = NEW.userId AND ${many} ORDER BY createdAt DESC LIMIT -1 OFFSET 1000)
        AND rowid != NEW.rowid; END`);
  },
  () => {
    throw new Error("Older versions know no warnings: restore a backup instead.");
  },
);
