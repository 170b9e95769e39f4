/// <reference path="../pb_hooks/dist/types.d.ts" />
/** Who follows and blocks whom, and the chats. Rows of two people carry both ids in their own id. */
migrate(
  (app) => {
    const users = app.findCollectionByNameOrId("users").id;
    const me = "@request.auth.id";
    const signedIn = `${me} != ""`;
    const pair = {
      name: "id",
      type: "text",
      system: true,
      required: true,
      primaryKey: true,
      min: 31,
      max: 31,
      pattern: "^[a-z0-9]{15}_[a-z0-9]{15}$",
      autogeneratePattern: "",
    };
    const link = (name, collectionId) => ({
      name,
      type: "relation",
      collectionId,
      maxSelect: 1,
      required: true,
      cascadeDelete: true,
    });
    const text = (name, max, more = {}) => ({ name, type: "text", max, ...more });
    const whole = (name) => ({ name, type: "number", onlyInt: true, min: 0 });
    const bool = (name) => ({ name, type: "bool" });
    const seq = { name: "seq", type: "number", onlyInt: true };
    const created = { name: "createdAt", type: "autodate", onCreate: true };
    const updated = { name: "updatedAt", type: "autodate", onCreate: true, onUpdate: true };

    app.save(
      new Collection({
        type: "base",
        name: "follows",
        listRule: `${signedIn} && (followerId = ${me} || followingId = ${me})`,
        viewRule: `${signedIn} && (followerId = ${me} || followingId = ${me})`,
        createRule: signedIn,
        updateRule: null,
        deleteRule: `${signedIn} && followerId = ${me}`,
        fields: [pair, link("followerId", users), link("followingId", users), created, seq],
        indexes: [
          "CREATE INDEX idx_follows_seq ON follows (seq)",
          "CREATE INDEX idx_follows_follower ON follows (followerId, seq)",
          "CREATE INDEX idx_follows_following ON follows (followingId, seq)",
        ],
      }),
    );

    app.save(
      new Collection({
        type: "base",
        name: "blocks",
        listRule: `${signedIn} && blockerId = ${me}`,
        viewRule: `${signedIn} && blockerId = ${me}`,
        createRule: signedIn,
        updateRule: null,
        deleteRule: `${signedIn} && blockerId = ${me}`,
        fields: [pair, link("blockerId", users), link("blockedId", users), created, seq],
        indexes: [
          "CREATE INDEX idx_blocks_seq ON blocks (seq)",
          "CREATE INDEX idx_blocks_blocker ON blocks (blockerId, seq)",
          "CREATE INDEX idx_blocks_blocked ON blocks (blockedId)",
        ],
      }),
    );

    const participant = `${signedIn} && (userA = ${me} || userB = ${me})`;
    app.save(
      new Collection({
        type: "base",
        name: "conversations",
        listRule: participant,
        viewRule: participant,
        createRule: signedIn,
        updateRule: null,
        deleteRule: "@request.auth.isAdmin = true",
        fields: [
          pair,
          { name: "participants", type: "json", maxSize: 200 },
          text("userA", 15),
          text("userB", 15),
          text("lastMessage", 200),
          whole("lastMessageTime"),
          text("lastMessageBy", 15),
          whole("messageCount"),
          whole("unreadA"),
          whole("unreadB"),
          created,
          updated,
          seq,
        ],
        indexes: [
          "CREATE INDEX idx_conversations_seq ON conversations (seq)",
          "CREATE INDEX idx_conversations_a ON conversations (userA, seq)",
          "CREATE INDEX idx_conversations_b ON conversations (userB, seq)",
          "CREATE INDEX idx_conversations_time ON conversations (lastMessageTime, id)",
        ],
      }),
    );
    const conversations = app.findCollectionByNameOrId("conversations").id;

    const photo = (name, maxSize, mimeTypes) => ({
      name,
      type: "file",
      maxSelect: 1,
      maxSize,
      mimeTypes,
      protected: true,
    });
    const party = `senderId = ${me} || recipientId = ${me}`;
    app.save(
      new Collection({
        type: "base",
        name: "messages",
        listRule: `${signedIn} && (${party})`,
        viewRule: `${signedIn} && (${party} || @request.auth.isAdmin = true)`,
        createRule: signedIn,
        updateRule: `${signedIn} && (${party} || @request.auth.isAdmin = true)`,
        deleteRule: null,
        fields: [
          link("conversationId", conversations),
          text("senderId", 15, { required: true }),
          text("recipientId", 15),
          text("message", 4000),
          { name: "type", type: "select", values: ["text", "photo"], maxSelect: 1, required: true },
          photo("image", 5242880, ["image/jpeg", "image/png", "image/gif", "image/webp"]),
          photo("thumbnail", 2097152, ["image/jpeg"]),
          whole("timestamp"),
          bool("read"),
          { name: "readAt", type: "date" },
          bool("deleted"),
          { name: "deletedAt", type: "date" },
          whole("ord"),
          created,
          updated,
          seq,
        ],
        indexes: [
          "CREATE INDEX idx_messages_seq ON messages (seq)",
          "CREATE INDEX idx_messages_ord ON messages (conversationId, ord)",
          "CREATE INDEX idx_messages_sender ON messages (senderId, seq)",
          "CREATE INDEX idx_messages_recipient ON messages (recipientId, seq)",
          "CREATE INDEX idx_messages_unread ON messages (conversationId, recipientId) WHERE read = FALSE",
        ],
      }),
    );
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
