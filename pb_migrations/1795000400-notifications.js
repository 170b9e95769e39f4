/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * What people are told of (pb_hooks/src/notifications.ts). Triggers make a row with the event
 * itself and take it away with it: its id is its kind and the id of the event. What is done again
 * within a day has its row back as it was, read or not: `_told` remembers that.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const users = app.findCollectionByNameOrId("users");
    const kinds = ["like", "comment", "reply", "mention", "follow", "report", "removal"];
    users.fields.add(
      new SelectField({
        name: "notificationsOff",
        values: kinds.filter((kind) => kind !== "removal"),
        maxSelect: kinds.length - 1,
      }),
    );
    app.save(users);
    const me = "@request.auth.id";
    const forwards = '(@request.query.expand:isset = false || @request.query.expand !~ "_via_")';
    // Of these the newest thousand stay: a stranger can make any number of them.
    const manyOf = (row) => `${row}kind != 'report' AND ${row}kind != 'removal'`;
    const many = manyOf("");
    const text = (name, max) => ({ name, type: "text", max });
    app.save(
      new Collection({
        type: "base",
        name: "notifications",
        listRule: null,
        viewRule: `(${me} != "" && userId = ${me}) && ${forwards}`,
        createRule: null,
        updateRule: null,
        deleteRule: null,
        fields: [
          {
            name: "id",
            type: "text",
            system: true,
            required: true,
            primaryKey: true,
            min: 3,
            max: 60,
            pattern: "^[a-z]+(_[a-z0-9]{15}){1,2}$",
            autogeneratePattern: "",
          },
          {
            name: "userId",
            type: "relation",
            collectionId: users.id,
            maxSelect: 1,
            required: true,
            cascadeDelete: true,
          },
          { name: "kind", type: "select", values: kinds, maxSelect: 1, required: true },
          text("actorId", 15),
          text("mediaId", 15),
          text("commentId", 15),
          { name: "outcome", type: "select", values: ["resolved", "dismissed"], maxSelect: 1 },
          text("caption", 200),
          text("reason", 1000),
          { name: "readAt", type: "date" },
          { name: "createdAt", type: "autodate", onCreate: true },
          { name: "seq", type: "number", onlyInt: true },
        ],
        indexes: [
          "CREATE INDEX idx_notifications_seq ON notifications (seq)",
          "CREATE INDEX idx_notifications_user ON notifications (userId, seq)",
          `CREATE INDEX idx_notifications_many ON notifications (userId, createdAt) WHERE ${many}`,
          "CREATE INDEX idx_notifications_created ON notifications (createdAt)",
        ],
      }),
    );
    run(`CREATE TABLE _told (id TEXT PRIMARY KEY, createdAt TEXT NOT NULL, readAt TEXT NOT NULL)
      WITHOUT ROWID`);
    run("CREATE INDEX idx_told_created ON _told (createdAt)");

    const ago = (time) => `strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-${time}')`;
    const bump = "UPDATE _seq SET v = v + 1, guard = guard + 1;";
    const lower = "UPDATE _seq SET guard = guard - 1;";
    const v = "(SELECT v FROM _seq)";
    const take = `${bump} UPDATE notifications SET seq = ${v} WHERE rowid = NEW.rowid; ${lower}`;
    run(`CREATE TRIGGER notifications_seq_insert AFTER INSERT ON notifications BEGIN
      DELETE FROM _tombs WHERE coll = 'notifications' AND rid = NEW.id; ${take} END`);
    const shown = ["kind", "actorId", "mediaId", "commentId", "outcome", "caption", "reason"];
    const changing = [...shown, "readAt", "createdAt"];
    const changed = changing.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
    run(`CREATE TRIGGER notifications_seq_update AFTER UPDATE OF ${changing.join(", ")}
      ON notifications WHEN ${changed} BEGIN ${take} END`);
    run(`CREATE TRIGGER notifications_keep AFTER UPDATE OF userId ON notifications
      WHEN (SELECT guard FROM _seq) = 0 AND NEW.userId IS NOT OLD.userId BEGIN
      UPDATE _seq SET guard = guard + 1;
      UPDATE notifications SET userId = OLD.userId WHERE rowid = NEW.rowid; ${lower} END`);
    run(`CREATE TRIGGER notifications_seq_forged AFTER UPDATE OF seq ON notifications
      WHEN (SELECT guard FROM _seq) = 0 BEGIN ${take} END`);
    // Devices forget the old ones by themselves.
    run(`CREATE TRIGGER notifications_seq_delete AFTER DELETE ON notifications
      WHEN OLD.createdAt > ${ago("90 days")} BEGIN
      ${bump} INSERT INTO _tombs (seq, coll, rid, a, b, pub)
        VALUES (${v}, 'notifications', OLD.id, OLD.userId, '', 0); ${lower} END`);
    run(`CREATE TRIGGER notifications_bound AFTER INSERT ON notifications WHEN ${manyOf("NEW.")} BEGIN
      DELETE FROM notifications WHERE rowid IN (SELECT rowid FROM notifications
        WHERE userId = NEW.userId AND ${many} ORDER BY createdAt DESC LIMIT -1 OFFSET 1000)
        AND rowid != NEW.rowid; END`);
    run(`CREATE TRIGGER notifications_told AFTER DELETE ON notifications
      WHEN OLD.kind IN ('like', 'follow') AND OLD.createdAt > ${ago("1 days")} BEGIN
      INSERT OR REPLACE INTO _told VALUES (OLD.id, OLD.createdAt, OLD.readAt); END`);

    /**
     * The statement that tells `whom` of what `who` did ("" for nobody in particular), unless that
     * is the same person, one has blocked the other, or `whom` has turned the kind off.
     */
    const tell = (kind, { id, whom, who = "''", mediaId = "''", commentId = "''", ...more }) => {
      const { outcome = "''", condition = "TRUE" } = more;
      return `INSERT OR IGNORE INTO notifications
        (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
        SELECT '${kind}_' || ${id}, u.id, '${kind}', ${who}, ${mediaId}, ${commentId}, ${outcome},
          '', '', COALESCE(t.createdAt, ${ago("0 days")}), COALESCE(t.readAt, ''), 0
        FROM users u
        LEFT JOIN _told t ON t.id = '${kind}_' || ${id} AND t.createdAt > ${ago("1 days")}
        WHERE u.id = ${whom} AND u.id != ${who} AND instr(u.notificationsOff, '"${kind}"') = 0
          AND NOT EXISTS (SELECT 1 FROM blocks
            WHERE id IN (u.id || '_' || ${who}, ${who} || '_' || u.id))
          AND ${condition};`;
    };
    const forget = (kind, row) => `DELETE FROM notifications WHERE id = '${kind}_' || ${row}.id;`;
    // What is imported is no news.
    const event = (table, kind, what) => {
      run(`CREATE TRIGGER ${table}_notify AFTER INSERT ON ${table}
        WHEN NEW.createdAt > ${ago("1 hours")} BEGIN ${tell(kind, { id: "NEW.id", ...what })} END`);
      run(`CREATE TRIGGER ${table}_unnotify AFTER DELETE ON ${table}
        BEGIN ${forget(kind, "OLD")} END`);
    };
    const ofMedia = {
      whom: "(SELECT userId FROM media WHERE id = NEW.mediaId)",
      who: "NEW.userId",
      mediaId: "NEW.mediaId",
    };
    event("likes", "like", ofMedia);
    event("comments", "comment", { ...ofMedia, commentId: "NEW.id" });
    event("follows", "follow", { whom: "NEW.followingId", who: "NEW.followerId" });
    const decided = {
      id: "NEW.id",
      whom: "NEW.userId",
      mediaId: "NEW.mediaId",
      outcome: "NEW.status",
      condition: "NEW.status IN ('resolved', 'dismissed')",
    };
    run(`CREATE TRIGGER reports_notify AFTER UPDATE OF status ON reports
      WHEN NEW.status IS NOT OLD.status
      BEGIN ${forget("report", "NEW")} ${tell("report", decided)} END`);
    run(`CREATE TRIGGER reports_unnotify AFTER DELETE ON reports
      BEGIN ${forget("report", "OLD")} END`);
    // Of the blocker's alone: the other's would tell of the block.
    run(`CREATE TRIGGER blocks_unnotify AFTER INSERT ON blocks BEGIN
      DELETE FROM notifications WHERE userId = NEW.blockerId AND +actorId = NEW.blockedId; END`);
  },
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    for (const table of ["likes", "comments", "follows", "reports"])
      for (const name of [`${table}_notify`, `${table}_unnotify`]) run(`DROP TRIGGER ${name}`);
    run("DROP TRIGGER blocks_unnotify");
    app.delete(app.findCollectionByNameOrId("notifications"));
    run("DROP TABLE _told");
    const users = app.findCollectionByNameOrId("users");
    users.fields.removeByName("notificationsOff");
    app.save(users);
  },
);
