/// <reference path="../pb_hooks/dist/types.d.ts" />
/** Media and what is said about them: likes, comments, reports. Limits are those of the data contract. */
migrate(
  (app) => {
    const users = app.findCollectionByNameOrId("users").id;
    const signedIn = '@request.auth.id != ""';
    const own = `${signedIn} && userId = @request.auth.id`;
    const ownOrAdmin = `${signedIn} && (userId = @request.auth.id || @request.auth.isAdmin = true)`;
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
    const number = (name, more = {}) => ({ name, type: "number", min: 0, ...more });
    const counter = (name, more = {}) => number(name, { onlyInt: true, ...more });
    const image = (name) => ({
      name,
      type: "file",
      maxSelect: 1,
      maxSize: 2097152,
      mimeTypes: ["image/jpeg"],
    });
    const seq = { name: "seq", type: "number", onlyInt: true };
    const created = { name: "createdAt", type: "autodate", onCreate: true };
    const updated = { name: "updatedAt", type: "autodate", onCreate: true, onUpdate: true };

    app.save(
      new Collection({
        type: "base",
        name: "media",
        listRule: "",
        viewRule: "",
        createRule: null,
        updateRule: own,
        deleteRule: ownOrAdmin,
        fields: [
          link("userId", users),
          text("username", 64),
          text("caption", 2200),
          { name: "tags", type: "json", maxSize: 20000 },
          {
            name: "type",
            type: "select",
            values: ["photo", "video"],
            maxSelect: 1,
            required: true,
          },
          // A video is larger than this: finishing an upload checks by itself and saves without this check.
          // A larger number would open the ordinary create route to bodies of that size.
          { name: "file", type: "file", maxSelect: 1, maxSize: 5242880 },
          image("thumbnail"),
          image("preview"),
          number("width", { onlyInt: true }),
          number("height", { onlyInt: true }),
          number("duration"),
          text("thumbhash", 100),
          text("alt", 1000),
          text("originalFilename", 255),
          number("fileSize", { onlyInt: true }),
          text("contentType", 100),
          counter("likes"),
          counter("comments"),
          counter("views"),
          counter("reports", { hidden: true }),
          created,
          updated,
          seq,
        ],
        indexes: [
          "CREATE INDEX idx_media_seq ON media (seq)",
          "CREATE INDEX idx_media_created ON media (createdAt, id)",
          "CREATE INDEX idx_media_user ON media (userId, createdAt, id)",
          "CREATE INDEX idx_media_type ON media (type, createdAt, id)",
        ],
      }),
    );
    const media = app.findCollectionByNameOrId("media").id;

    app.save(
      new Collection({
        type: "base",
        name: "likes",
        listRule: own,
        viewRule: own,
        createRule: signedIn,
        updateRule: null,
        deleteRule: own,
        fields: [pair, link("mediaId", media), link("userId", users), created, seq],
        indexes: [
          "CREATE INDEX idx_likes_seq ON likes (seq)",
          "CREATE INDEX idx_likes_media ON likes (mediaId)",
          "CREATE INDEX idx_likes_user ON likes (userId, seq)",
        ],
      }),
    );

    app.save(
      new Collection({
        type: "base",
        name: "comments",
        listRule: "",
        viewRule: "",
        createRule: signedIn,
        updateRule: null,
        deleteRule: ownOrAdmin,
        fields: [
          link("mediaId", media),
          link("userId", users),
          text("username", 64),
          text("text", 2000, { required: true }),
          created,
          updated,
          seq,
        ],
        indexes: [
          "CREATE INDEX idx_comments_seq ON comments (seq)",
          "CREATE INDEX idx_comments_media ON comments (mediaId, createdAt, id)",
          "CREATE INDEX idx_comments_user ON comments (userId)",
        ],
      }),
    );

    const admin = "@request.auth.isAdmin = true";
    app.save(
      new Collection({
        type: "base",
        name: "reports",
        listRule: admin,
        viewRule: admin,
        createRule: signedIn,
        updateRule: admin,
        deleteRule: null,
        fields: [
          pair,
          text("mediaId", 15, { required: true }),
          text("userId", 15, { required: true }),
          text("reason", 1000, { required: true }),
          {
            name: "status",
            type: "select",
            values: ["open", "resolved", "dismissed"],
            maxSelect: 1,
            required: true,
          },
          { name: "snapshot", type: "json", maxSize: 20000 },
          created,
          updated,
        ],
        indexes: [
          "CREATE INDEX idx_reports_media ON reports (mediaId)",
          "CREATE INDEX idx_reports_status ON reports (status, createdAt)",
        ],
      }),
    );
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
