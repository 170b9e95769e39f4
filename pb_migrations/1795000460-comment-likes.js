/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Comments are liked as media are: such a like names a `commentId` and no medium, so that it counts
 * nowhere else and a client of an earlier version drops it. Comments can be read by their likes.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const likes = app.findCollectionByNameOrId("likes");
    likes.fields.getByName("mediaId").required = false;
    likes.fields.add(new TextField({ name: "commentId", max: 15 }));
    likes.addIndex("idx_likes_comment", false, "commentId", "commentId != ''");
    app.save(likes);
    const comments = app.findCollectionByNameOrId("comments");
    comments.fields.add(new NumberField({ name: "likes", onlyInt: true, min: 0 }));
    comments.addIndex("idx_comments_liked", false, "mediaId, parentId, likes, createdAt, id", "");
    app.save(comments);

    const guarded = (statements) =>
      `BEGIN UPDATE _seq SET guard = guard + 1; ${statements} UPDATE _seq SET guard = guard - 1; END`;
    const changedOf = (names) => names.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
    const keep = (table, kept) => {
      const old = kept.map((name) => `${name} = OLD.${name}`).join(", ");
      run(`DROP TRIGGER ${table}_keep`);
      run(`CREATE TRIGGER ${table}_keep AFTER UPDATE OF ${kept.join(", ")} ON ${table}
        WHEN (SELECT guard FROM _seq) = 0 AND (${changedOf(kept)})
        ${guarded(`UPDATE ${table} SET ${old} WHERE rowid = NEW.rowid;`)}`);
    };
    keep("likes", ["mediaId", "userId", "commentId"]);
    keep("comments", ["mediaId", "userId", "username", "parentId", "replies", "likes"]);

    for (const [event, row, sign] of [
      ["insert", "NEW", "+"],
      ["delete", "OLD", "-"],
    ]) {
      const add = (table, by) =>
        `UPDATE ${table} SET likes = likes ${sign} 1 WHERE id = ${row}.${by};`;
      run(`DROP TRIGGER likes_count_${event}`);
      run(`CREATE TRIGGER likes_count_${event} AFTER ${event} ON likes WHEN ${row}.commentId = ''
        ${guarded(add("media", "mediaId"))}`);
      run(`CREATE TRIGGER likes_of_comments_${event} AFTER ${event} ON likes
        WHEN ${row}.commentId != '' ${guarded(add("comments", "commentId"))}`);
    }
    run(`CREATE TRIGGER comments_likes_go AFTER DELETE ON comments WHEN OLD.likes > 0 BEGIN
      DELETE FROM likes WHERE commentId = OLD.id; END`);

    const shown = ["text", "replies", "likes", "editedAt", "createdAt"];
    run("DROP TRIGGER comments_seq_update");
    run(`CREATE TRIGGER comments_seq_update AFTER UPDATE OF ${shown.join(", ")} ON comments
      WHEN ${changedOf(shown)} BEGIN UPDATE _seq SET v = v + 1, guard = guard + 1;
      UPDATE comments SET seq = (SELECT v FROM _seq) WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
    run("DROP TRIGGER comments_seq_insert");
    run(`CREATE TRIGGER comments_seq_insert AFTER INSERT ON comments BEGIN
      DELETE FROM _tombs WHERE coll = 'comments' AND rid = NEW.id;
      UPDATE _seq SET v = v + 1, guard = guard + 1;
      UPDATE comments SET seq = (SELECT v FROM _seq),
        username = (SELECT username FROM users WHERE id = NEW.userId),
        replies = (SELECT count(*) FROM comments
          WHERE mediaId = NEW.mediaId AND parentId = NEW.id),
        likes = (SELECT count(*) FROM likes WHERE commentId = NEW.id AND commentId != '')
        WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);

    const ago = (time) => `strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-${time}')`;
    run(`CREATE TRIGGER likes_notify_comment AFTER INSERT ON likes
      WHEN NEW.commentId != '' AND NEW.createdAt > ${ago("1 hours")}
      BEGIN INSERT OR IGNORE INTO notifications
        (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
        SELECT 'like_' || NEW.id, u.id, 'like', NEW.userId, c.mediaId, c.id, '', '', '',
          COALESCE(t.createdAt, ${ago("0 days")}), COALESCE(t.readAt, ''), 0
        FROM comments c JOIN users u ON u.id = c.userId
        LEFT JOIN _told t ON t.id = 'like_' || NEW.id AND t.createdAt > ${ago("1 days")}
        WHERE c.id = NEW.commentId AND u.id != NEW.userId
          AND instr(u.notificationsOff, '"like"') = 0
          AND NOT EXISTS (SELECT 1 FROM blocks
            WHERE id IN (u.id || '_' || NEW.userId, NEW.userId || '_' || u.id)); END`);
  },
  () => {
    throw new Error("Older versions count likes of comments as those of media: restore a backup.");
  },
);
