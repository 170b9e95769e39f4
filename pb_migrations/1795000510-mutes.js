/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * Beside whom one blocks, `blocks` holds what one mutes: a person (`mutedId`) or a `word`, and then
 * nobody is blocked (`blockedId` is ""). Nobody else learns of it, and the person's devices alone
 * hide what is muted (src/data/people/mutes.ts).
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const blocks = app.findCollectionByNameOrId("blocks");
    blocks.fields.getByName("blockedId").required = false;
    // No relation: nobody may be asked for by who mutes him.
    blocks.fields.add(new TextField({ name: "mutedId", max: 15, pattern: "^[a-z0-9]{15}$" }));
    blocks.fields.add(new TextField({ name: "word", max: 50 }));
    blocks.indexes = [
      ...blocks.indexes,
      "CREATE INDEX idx_blocks_muted ON blocks (mutedId, blockerId) WHERE mutedId != ''",
      "CREATE INDEX idx_blocks_mutes ON blocks (blockerId) WHERE blockedId = ''",
    ];
    app.save(blocks);

    for (const name of ["blocks_keep", "blocks_unnotify"]) run(`DROP TRIGGER ${name}`);
    const kept = ["blockerId", "blockedId", "mutedId", "word"];
    run(`CREATE TRIGGER blocks_keep AFTER UPDATE OF ${kept.join(", ")} ON blocks
      WHEN (SELECT guard FROM _seq) = 0
        AND (${kept.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ")}) BEGIN
      UPDATE _seq SET guard = guard + 1; UPDATE blocks SET
        ${kept.map((name) => `${name} = OLD.${name}`).join(", ")} WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
    // Of the blocker's alone: the other's would tell of the block.
    run(`CREATE TRIGGER blocks_unnotify AFTER INSERT ON blocks WHEN NEW.blockedId != '' BEGIN
      DELETE FROM notifications WHERE userId = NEW.blockerId AND +actorId = NEW.blockedId; END`);
    // Whom one mutes wakes no device of one's own, except by a message.
    const isFresh = "NEW.createdAt > strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-1 hours')";
    const wake = (table, { kind, who, whom, pause }) => {
      run(`DROP TRIGGER ${table}_push`);
      run(`CREATE TRIGGER ${table}_push AFTER INSERT ON ${table} WHEN ${isFresh} BEGIN
        INSERT INTO _pushes (session, since, due)
          SELECT session, unixepoch(), max(unixepoch(), sentAt + ${pause}) FROM _subscriptions
          WHERE userId = ${whom} AND userId != ${who} AND kinds & ${kind}
          AND NOT EXISTS (SELECT 1 FROM blocks WHERE id = userId || '_' || ${who})
          AND NOT EXISTS (SELECT 1 FROM blocks
            WHERE mutedId = ${who} AND mutedId != '' AND blockerId = userId)
          ON CONFLICT (session) DO UPDATE SET n = n + 1, due = min(due, excluded.due); END`);
    };
    const owner = "(SELECT m.userId FROM media m WHERE m.id = NEW.mediaId)";
    wake("comments", { who: "NEW.userId", whom: owner, kind: 2, pause: 60 });
    wake("likes", { who: "NEW.userId", whom: owner, kind: 4, pause: 900 });
    wake("follows", { who: "NEW.followerId", whom: "NEW.followingId", kind: 8, pause: 900 });
    run(`CREATE TRIGGER users_mutes_go AFTER DELETE ON users BEGIN
      DELETE FROM blocks WHERE mutedId = OLD.id AND mutedId != ''; END`);
  },
  () => {
    throw new Error("Older versions take every mute for a block: restore a backup instead.");
  },
);
