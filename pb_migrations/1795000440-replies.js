/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * A comment may answer another: `parentId` names a comment on the same medium that answers none
 * (pb_hooks/src/social.ts). `replies` counts its answers, which go with it. Whoever wrote it is told
 * of each, unless he is told of a comment on his medium anyway. And who owns a medium may delete
 * what anybody wrote on it.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const comments = app.findCollectionByNameOrId("comments");
    comments.fields.add(new TextField({ name: "parentId", max: 15 }));
    comments.fields.add(new NumberField({ name: "replies", onlyInt: true, min: 0 }));
    comments.addIndex("idx_comments_thread", false, "mediaId, parentId, createdAt, id", "");
    const mine = "userId = @request.auth.id";
    comments.deleteRule = comments.deleteRule.replace(
      mine,
      `${mine} || mediaId.userId = @request.auth.id`,
    );
    app.save(comments);

    const guarded = (statements) =>
      `BEGIN UPDATE _seq SET guard = guard + 1; ${statements} UPDATE _seq SET guard = guard - 1; END`;
    const number = "UPDATE comments SET seq = (SELECT v FROM _seq)";
    const taking = (statement) =>
      `BEGIN UPDATE _seq SET v = v + 1, guard = guard + 1; ${statement} WHERE rowid = NEW.rowid;
       UPDATE _seq SET guard = guard - 1; END`;
    const changedOf = (names) => names.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");

    for (const name of ["seq_insert", "seq_update", "keep"]) run(`DROP TRIGGER comments_${name}`);
    run(`CREATE TRIGGER comments_seq_insert AFTER INSERT ON comments BEGIN
      DELETE FROM _tombs WHERE coll = 'comments' AND rid = NEW.id;
      UPDATE _seq SET v = v + 1, guard = guard + 1;
      ${number}, username = (SELECT username FROM users WHERE id = NEW.userId),
        replies = (SELECT count(*) FROM comments
          WHERE mediaId = NEW.mediaId AND parentId = NEW.id) WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
    const shown = ["text", "replies", "createdAt"];
    run(`CREATE TRIGGER comments_seq_update AFTER UPDATE OF ${shown.join(", ")} ON comments
      WHEN ${changedOf(shown)} ${taking(number)}`);
    const kept = ["mediaId", "userId", "username", "parentId", "replies"];
    const old = kept.map((name) => `${name} = OLD.${name}`).join(", ");
    run(`CREATE TRIGGER comments_keep AFTER UPDATE OF ${kept.join(", ")} ON comments
      WHEN (SELECT guard FROM _seq) = 0 AND (${changedOf(kept)})
      ${guarded(`UPDATE comments SET ${old} WHERE rowid = NEW.rowid;`)}`);

    const add = (row, sign) =>
      guarded(`UPDATE comments SET replies = replies ${sign} 1 WHERE id = ${row}.parentId;`);
    run(`CREATE TRIGGER comments_replies_insert AFTER INSERT ON comments
      WHEN NEW.parentId != '' ${add("NEW", "+")}`);
    run(`CREATE TRIGGER comments_replies_delete AFTER DELETE ON comments
      WHEN OLD.parentId != '' ${add("OLD", "-")}`);
    run(`CREATE TRIGGER comments_replies_go AFTER DELETE ON comments WHEN OLD.replies > 0 BEGIN
      DELETE FROM comments WHERE mediaId = OLD.mediaId AND parentId = OLD.id; END`);

    run(`CREATE TRIGGER comments_notify_reply AFTER INSERT ON comments
      WHEN NEW.parentId != '' AND NEW.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 hours')
      BEGIN INSERT OR IGNORE INTO notifications
        (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
        SELECT 'reply_' || NEW.id, u.id, 'reply', NEW.userId, NEW.mediaId, NEW.id, '', '', '',
          strftime('%Y-%m-%d %H:%M:%fZ', 'now'), '', 0
        FROM comments c JOIN users u ON u.id = c.userId
        WHERE c.id = NEW.parentId AND u.id != NEW.userId
          AND instr(u.notificationsOff, '"reply"') = 0
          AND (instr(u.notificationsOff, '"comment"') > 0
            OR u.id != (SELECT userId FROM media WHERE id = NEW.mediaId))
          AND NOT EXISTS (SELECT 1 FROM blocks
            WHERE id IN (u.id || '_' || NEW.userId, NEW.userId || '_' || u.id)); END`);
    run(`CREATE TRIGGER comments_unnotify_reply AFTER DELETE ON comments WHEN OLD.parentId != ''
      BEGIN DELETE FROM notifications WHERE id = 'reply_' || OLD.id; END`);
  },
  () => {
    throw new Error("Older versions leave replies behind: restore a backup instead.");
  },
);
