/// <reference path="../pb_hooks/dist/types.d.ts" />
/**
 * The order of all changes. `_seq` is one row: `v` the last number given, `epoch` the id of this database's
 * history, `boot` a word that is also kept beside the data folder, `floor` the highest pruned tombstone, `guard` above
 * zero while a trigger of ours writes. Every synced row carries the number of its last visible change; `_tombs` keeps
 * what went, and who may learn of it: everybody (`pub`), or the people in `a` and `b`.
 * Setting `seq` to anything by hand gives the row a new number: that is how changed view counts are announced.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    run(`CREATE TABLE _seq (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      v INTEGER NOT NULL,
      epoch TEXT NOT NULL,
      boot TEXT NOT NULL,
      floor INTEGER NOT NULL,
      guard INTEGER NOT NULL
    )`);
    run("INSERT INTO _seq VALUES (1, 0, lower(hex(randomblob(8))), '', 0, 0)");
    run(`CREATE TABLE _tombs (
      seq INTEGER PRIMARY KEY,
      coll TEXT NOT NULL,
      rid TEXT NOT NULL,
      a TEXT NOT NULL,
      b TEXT NOT NULL,
      pub INTEGER NOT NULL,
      at INTEGER NOT NULL DEFAULT (unixepoch())
    )`);
    run("CREATE INDEX idx_tombs_coll ON _tombs (coll, seq)");
    run("CREATE INDEX idx_tombs_row ON _tombs (coll, rid)");
    run("CREATE INDEX idx_tombs_at ON _tombs (at)");

    const bump = "UPDATE _seq SET v = v + 1, guard = guard + 1;";
    const lower = "UPDATE _seq SET guard = guard - 1;";
    const v = "(SELECT v FROM _seq)";

    /** Numbers one table. `shown` are the columns whose change others see; `reset` is what an insert may not bring. */
    const number = ({ table, coll = table, shown, reset = "", a = "''", b = "''", pub = 0 }) => {
      const changed = shown.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
      const take = `UPDATE ${table} SET seq = ${v}`;
      run(`CREATE TRIGGER ${table}_seq_insert AFTER INSERT ON ${table} BEGIN
        DELETE FROM _tombs WHERE coll = '${coll}' AND rid = NEW.id;
        ${bump} ${take}${reset} WHERE rowid = NEW.rowid; ${lower} END`);
      run(`CREATE TRIGGER ${table}_seq_update AFTER UPDATE OF ${shown.join(", ")} ON ${table}
        WHEN ${changed} BEGIN ${bump} ${take} WHERE rowid = NEW.rowid; ${lower} END`);
      run(`CREATE TRIGGER ${table}_seq_forged AFTER UPDATE OF seq ON ${table}
        WHEN (SELECT guard FROM _seq) = 0 BEGIN ${bump} ${take} WHERE rowid = NEW.rowid; ${lower} END`);
      run(`CREATE TRIGGER ${table}_seq_delete AFTER DELETE ON ${table} BEGIN
        ${bump} INSERT INTO _tombs (seq, coll, rid, a, b, pub) VALUES (${v}, '${coll}', OLD.id, ${a}, ${b}, ${pub});
        ${lower} END`);
    };

    number({
      table: "users",
      coll: "profiles",
      shown: [
        "username",
        "bio",
        "profilePicture",
        "profileThumbnail",
        "followers",
        "following",
        "mediaCount",
        "isBlocked",
        "createdAt",
      ],
      reset: ", followers = 0, following = 0, mediaCount = 0",
      pub: 1,
    });
    number({
      table: "media",
      shown: [
        "userId",
        "username",
        "caption",
        "tags",
        "type",
        "file",
        "thumbnail",
        "preview",
        "width",
        "height",
        "duration",
        "thumbhash",
        "alt",
        "originalFilename",
        "fileSize",
        "contentType",
        "likes",
        "comments",
        "createdAt",
      ],
      reset: `, username = (SELECT username FROM users WHERE id = NEW.userId), likes = 0, comments = 0,
        reports = (SELECT count(*) FROM reports WHERE mediaId = NEW.id)`,
      pub: 1,
    });
    number({ table: "likes", shown: ["createdAt"], a: "OLD.userId" });
    number({
      table: "comments",
      shown: ["username", "text", "createdAt"],
      reset: ", username = (SELECT username FROM users WHERE id = NEW.userId)",
      pub: 1,
    });
    number({ table: "follows", shown: ["createdAt"], a: "OLD.followerId", b: "OLD.followingId" });
    number({ table: "blocks", shown: ["createdAt"], a: "OLD.blockerId" });
    number({
      table: "conversations",
      shown: [
        "lastMessage",
        "lastMessageTime",
        "lastMessageBy",
        "messageCount",
        "unreadA",
        "unreadB",
        "createdAt",
      ],
      reset: `, userA = substr(NEW.id, 1, 15), userB = substr(NEW.id, 17),
        participants = json_array(substr(NEW.id, 1, 15), substr(NEW.id, 17)),
        lastMessage = '', lastMessageTime = 0, lastMessageBy = '', messageCount = 0, unreadA = 0, unreadB = 0`,
      a: "OLD.userA",
      b: "OLD.userB",
    });
    number({
      table: "messages",
      shown: [
        "message",
        "image",
        "thumbnail",
        "timestamp",
        "read",
        "readAt",
        "deleted",
        "deletedAt",
        "createdAt",
      ],
      reset: `, ord = ${v}, recipientId = (SELECT iif(userA = NEW.senderId, userB, userA)
        FROM conversations WHERE id = NEW.conversationId)`,
      a: "OLD.senderId",
      b: "OLD.recipientId",
    });
    number({
      table: "settings",
      shown: ["content", "lastUpdated", "productName", "requireMutualFollow", "limits", "revision"],
      pub: 1,
    });
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
