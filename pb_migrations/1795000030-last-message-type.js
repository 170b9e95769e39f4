/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * `lastMessageType` of a conversation: `text` or `photo`, and empty where there is no message or
 * the last one was deleted. The preview's text alone cannot tell a photo from the text "Photo". The
 * triggers that write the preview write this column too, so they are created again here.
 */
migrate(
  (app) => {
    const conversations = app.findCollectionByNameOrId("conversations");
    conversations.fields.add(
      new SelectField({ name: "lastMessageType", values: ["text", "photo"], maxSelect: 1 }),
    );
    app.save(conversations);

    const run = (sql) => app.db().newQuery(sql).execute();
    const replace = (name, definition) => {
      run(`DROP TRIGGER ${name}`);
      run(`CREATE TRIGGER ${name} ${definition}`);
    };
    const raise = "UPDATE _seq SET guard = guard + 1;";
    const lower = "UPDATE _seq SET guard = guard - 1;";
    const guarded = (statements) => `BEGIN ${raise} ${statements} ${lower} END`;
    const anyChanged = (columns) =>
      columns.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");

    // The number of a row's last visible change, and what an insert may not bring (sequence).
    const bump = "UPDATE _seq SET v = v + 1, guard = guard + 1;";
    const take = "UPDATE conversations SET seq = (SELECT v FROM _seq)";
    const shown = [
      "lastMessage",
      "lastMessageType",
      "lastMessageTime",
      "lastMessageBy",
      "messageCount",
      "unreadA",
      "unreadB",
      "createdAt",
    ];
    replace(
      "conversations_seq_insert",
      `AFTER INSERT ON conversations BEGIN
        DELETE FROM _tombs WHERE coll = 'conversations' AND rid = NEW.id;
        ${bump} ${take}, userA = substr(NEW.id, 1, 15), userB = substr(NEW.id, 17),
          participants = json_array(substr(NEW.id, 1, 15), substr(NEW.id, 17)), lastMessage = '',
          lastMessageType = '', lastMessageTime = 0, lastMessageBy = '', messageCount = 0,
          unreadA = 0, unreadB = 0
        WHERE rowid = NEW.rowid; ${lower} END`,
    );
    replace(
      "conversations_seq_update",
      `AFTER UPDATE OF ${shown.join(", ")} ON conversations
        WHEN ${anyChanged(shown)} BEGIN ${bump} ${take} WHERE rowid = NEW.rowid; ${lower} END`,
    );

    // Columns that nothing but a trigger may write (counters).
    const kept = [
      "participants",
      "userA",
      "userB",
      "lastMessage",
      "lastMessageType",
      "lastMessageTime",
      "lastMessageBy",
      "messageCount",
      "unreadA",
      "unreadB",
    ];
    const old = kept.map((name) => `${name} = OLD.${name}`).join(", ");
    replace(
      "conversations_keep",
      `AFTER UPDATE OF ${kept.join(", ")} ON conversations
        WHEN (SELECT guard FROM _seq) = 0 AND (${anyChanged(kept)})
        ${guarded(`UPDATE conversations SET ${old} WHERE rowid = NEW.rowid;`)}`,
    );

    // A message is unread until it is read or deleted. The last one has the highest `ord`.
    const unread = (row) => `iif(${row}.read OR ${row}.deleted, 0, 1)`;
    const preview = (row) =>
      `CASE WHEN ${row}.deleted THEN 'This message was deleted' WHEN ${row}.type = 'photo' THEN 'Photo' ELSE substr(${row}.message, 1, 200) END`;
    const type = (row) => `iif(${row}.deleted, '', ${row}.type)`;
    const sides = (row, change) =>
      ["A", "B"]
        .map((side) => {
          const toThem = `user${side} = iif(userA = ${row}.senderId, userB, userA)`;
          return `unread${side} = unread${side} + iif(${toThem}, ${change}, 0)`;
        })
        .join(", ");
    replace(
      "messages_count_insert",
      `AFTER INSERT ON messages
        ${guarded(`UPDATE conversations SET messageCount = messageCount + 1,
          ${sides("NEW", unread("NEW"))}, lastMessage = ${preview("NEW")},
          lastMessageType = ${type("NEW")}, lastMessageTime = NEW.timestamp,
          lastMessageBy = NEW.senderId WHERE id = NEW.conversationId;`)}`,
    );
    replace(
      "messages_count_update",
      `AFTER UPDATE OF read, deleted, message, type, timestamp ON messages
        WHEN ${anyChanged(["read", "deleted", "message", "type", "timestamp"])}
        ${guarded(`UPDATE conversations SET ${sides("OLD", `${unread("NEW")} - ${unread("OLD")}`)}
            WHERE id = OLD.conversationId;
          UPDATE conversations SET lastMessage = ${preview("NEW")},
            lastMessageType = ${type("NEW")}, lastMessageTime = NEW.timestamp
            WHERE id = OLD.conversationId
            AND OLD.ord = (SELECT max(ord) FROM messages WHERE conversationId = OLD.conversationId);`)}`,
    );
    replace(
      "messages_count_delete",
      `AFTER DELETE ON messages
        ${guarded(`UPDATE conversations SET messageCount = messageCount - 1,
            ${sides("OLD", `-${unread("OLD")}`)} WHERE id = OLD.conversationId;
          UPDATE conversations SET (lastMessage, lastMessageType, lastMessageTime, lastMessageBy) =
            (SELECT COALESCE(max(p), ''), COALESCE(max(k), ''), COALESCE(max(t), 0), COALESCE(max(s), '')
              FROM (SELECT ${preview("m")} AS p, ${type("m")} AS k, m.timestamp AS t, m.senderId AS s
                FROM messages m WHERE m.conversationId = OLD.conversationId
                ORDER BY m.ord DESC LIMIT 1))
            WHERE id = OLD.conversationId;`)}`,
    );

    // Existing rows, through the triggers above, so that the feed brings them to every device.
    run(raise);
    run(`UPDATE conversations SET lastMessageType = COALESCE((SELECT ${type("m")} FROM messages m
      WHERE m.conversationId = conversations.id ORDER BY m.ord DESC LIMIT 1), '')`);
    run(lower);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
