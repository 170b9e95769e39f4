/// <reference path="../pb_hooks/dist/types.d.ts" />
/**
 * Numbers and copies that only the database writes: they equal the rows at every commit, whoever deletes, cascades,
 * imports or types SQL. `guard` in `_seq` is above zero while a trigger of ours writes; when it is zero, whatever
 * touches a kept column gets the old value back.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const guarded = (statements) =>
      `BEGIN UPDATE _seq SET guard = guard + 1; ${statements} UPDATE _seq SET guard = guard - 1; END`;

    /** Columns of `table` that nobody else may write. */
    const keep = (table, columns) => {
      const changed = columns.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
      const old = columns.map((name) => `${name} = OLD.${name}`).join(", ");
      run(`CREATE TRIGGER ${table}_keep AFTER UPDATE OF ${columns.join(", ")} ON ${table}
        WHEN (SELECT guard FROM _seq) = 0 AND (${changed})
        ${guarded(`UPDATE ${table} SET ${old} WHERE rowid = NEW.rowid;`)}`);
    };
    /** REPLACE would remove a row without its delete trigger, and a changed id would leave the rows that count. */
    const steady = (table) => {
      run(`CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table}
        WHEN EXISTS (SELECT 1 FROM ${table} WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: ${table}.id'); END`);
      run(`CREATE TRIGGER ${table}_no_rename BEFORE UPDATE OF id ON ${table} WHEN NEW.id IS NOT OLD.id
        BEGIN SELECT RAISE(ABORT, 'ids never change'); END`);
    };
    /** Counts the rows of `table`: `targets` are [target table, its counter, the column that names the target's id]. */
    const count = (table, targets) => {
      const add = (row, sign) =>
        targets
          .map(
            ([to, counter, by]) =>
              `UPDATE ${to} SET ${counter} = ${counter} ${sign} 1 WHERE id = ${row}.${by};`,
          )
          .join(" ");
      run(
        `CREATE TRIGGER ${table}_count_insert AFTER INSERT ON ${table} ${guarded(add("NEW", "+"))}`,
      );
      run(
        `CREATE TRIGGER ${table}_count_delete AFTER DELETE ON ${table} ${guarded(add("OLD", "-"))}`,
      );
    };

    for (const table of ["users", "media", "likes", "comments", "reports"]) steady(table);
    for (const table of ["follows", "blocks", "conversations", "messages"]) steady(table);

    count("media", [["users", "mediaCount", "userId"]]);
    count("likes", [["media", "likes", "mediaId"]]);
    count("comments", [["media", "comments", "mediaId"]]);
    count("reports", [["media", "reports", "mediaId"]]);
    count("follows", [
      ["users", "followers", "followingId"],
      ["users", "following", "followerId"],
    ]);

    keep("users", ["followers", "following", "mediaCount"]);
    keep("media", ["userId", "username", "likes", "comments", "reports"]);
    keep("likes", ["mediaId", "userId"]);
    keep("comments", ["mediaId", "userId", "username"]);
    keep("reports", ["mediaId", "userId"]);
    keep("follows", ["followerId", "followingId"]);
    keep("blocks", ["blockerId", "blockedId"]);
    keep("messages", ["conversationId", "senderId", "recipientId", "ord"]);
    keep("conversations", [
      "participants",
      "userA",
      "userB",
      "lastMessage",
      "lastMessageTime",
      "lastMessageBy",
      "messageCount",
      "unreadA",
      "unreadB",
    ]);

    run(`CREATE TRIGGER users_rename AFTER UPDATE OF username ON users WHEN NEW.username IS NOT OLD.username
      ${guarded(`UPDATE media SET username = NEW.username WHERE userId = NEW.id;
        UPDATE comments SET username = NEW.username WHERE userId = NEW.id;`)}`);

    // A message counts as unread until it is read or deleted. The preview is that of the highest `ord`.
    const unread = (row) => `iif(${row}.read OR ${row}.deleted, 0, 1)`;
    const preview = (row) =>
      `CASE WHEN ${row}.deleted THEN 'This message was deleted' WHEN ${row}.type = 'photo' THEN 'Photo' ELSE substr(${row}.message, 1, 200) END`;
    const sides = (row, change) =>
      ["A", "B"]
        .map((side) => {
          const toThem = `user${side} = iif(userA = ${row}.senderId, userB, userA)`;
          return `unread${side} = unread${side} + iif(${toThem}, ${change}, 0)`;
        })
        .join(", ");

    run(`CREATE TRIGGER messages_count_insert AFTER INSERT ON messages
      ${guarded(`UPDATE conversations SET messageCount = messageCount + 1, ${sides("NEW", unread("NEW"))},
        lastMessage = ${preview("NEW")}, lastMessageTime = NEW.timestamp, lastMessageBy = NEW.senderId
        WHERE id = NEW.conversationId;`)}`);
    run(`CREATE TRIGGER messages_count_update AFTER UPDATE OF read, deleted, message, type, timestamp ON messages
      WHEN NEW.read IS NOT OLD.read OR NEW.deleted IS NOT OLD.deleted OR NEW.message IS NOT OLD.message
        OR NEW.type IS NOT OLD.type OR NEW.timestamp IS NOT OLD.timestamp
      ${guarded(`UPDATE conversations SET ${sides("OLD", `${unread("NEW")} - ${unread("OLD")}`)} WHERE id = OLD.conversationId;
        UPDATE conversations SET lastMessage = ${preview("NEW")}, lastMessageTime = NEW.timestamp
          WHERE id = OLD.conversationId
          AND OLD.ord = (SELECT max(ord) FROM messages WHERE conversationId = OLD.conversationId);`)}`);
    run(`CREATE TRIGGER messages_count_delete AFTER DELETE ON messages
      ${guarded(`UPDATE conversations SET messageCount = messageCount - 1, ${sides("OLD", `-${unread("OLD")}`)}
          WHERE id = OLD.conversationId;
        UPDATE conversations SET (lastMessage, lastMessageTime, lastMessageBy) =
          (SELECT COALESCE(max(p), ''), COALESCE(max(t), 0), COALESCE(max(s), '') FROM (
            SELECT ${preview("m")} AS p, m.timestamp AS t, m.senderId AS s FROM messages m
            WHERE m.conversationId = OLD.conversationId ORDER BY m.ord DESC LIMIT 1))
          WHERE id = OLD.conversationId;`)}`);

    run(
      `CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'append_only'); END`,
    );
    run(
      `CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'append_only'); END`,
    );
    run(`CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
      BEGIN SELECT RAISE(ABORT, 'append_only'); END`);

    const others =
      "EXISTS (SELECT 1 FROM users WHERE id != OLD.id AND isAdmin = TRUE AND isBlocked = FALSE)";
    run(`CREATE TRIGGER users_last_admin_update BEFORE UPDATE OF isAdmin, isBlocked ON users
      WHEN OLD.isAdmin AND NOT OLD.isBlocked AND (NOT NEW.isAdmin OR NEW.isBlocked) AND NOT ${others}
      BEGIN SELECT RAISE(ABORT, 'last_admin'); END`);
    run(`CREATE TRIGGER users_last_admin_delete BEFORE DELETE ON users
      WHEN OLD.isAdmin AND NOT OLD.isBlocked AND NOT ${others}
      BEGIN SELECT RAISE(ABORT, 'last_admin'); END`);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
