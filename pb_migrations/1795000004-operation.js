/// <reference path="../pb_hooks/dist/types.d.ts" />
/** What runs the place: settings and legal texts, unfinished uploads, the audit log, the server's own switches. */
migrate(
  (app) => {
    const me = "@request.auth.id";
    const admin = "@request.auth.isAdmin = true";
    const text = (name, max, more = {}) => ({ name, type: "text", max, ...more });
    const created = { name: "createdAt", type: "autodate", onCreate: true };
    const updated = { name: "updatedAt", type: "autodate", onCreate: true, onUpdate: true };

    app.save(
      new Collection({
        type: "base",
        name: "settings",
        listRule: "",
        viewRule: "",
        createRule: null,
        updateRule: admin,
        deleteRule: null,
        fields: [
          {
            name: "id",
            type: "text",
            system: true,
            required: true,
            primaryKey: true,
            min: 3,
            max: 7,
            pattern: "^(terms|privacy|app)$",
            autogeneratePattern: "",
          },
          text("content", 102400),
          { name: "lastUpdated", type: "date" },
          text("productName", 60),
          { name: "requireMutualFollow", type: "bool" },
          { name: "limits", type: "json", maxSize: 4000 },
          { name: "revision", type: "number", onlyInt: true, min: 0 },
          created,
          updated,
          { name: "seq", type: "number", onlyInt: true },
        ],
        indexes: ["CREATE INDEX idx_settings_seq ON settings (seq)"],
      }),
    );

    app.save(
      new Collection({
        type: "base",
        name: "uploads",
        listRule: `${me} != "" && owner = ${me}`,
        viewRule: `${me} != "" && owner = ${me}`,
        createRule: null,
        updateRule: null,
        deleteRule: null,
        fields: [
          text("owner", 15, { required: true }),
          { name: "size", type: "number", onlyInt: true, min: 0 },
          { name: "metadata", type: "json", maxSize: 8000 },
          { name: "expiresAt", type: "date" },
          created,
          updated,
        ],
        indexes: [
          "CREATE INDEX idx_uploads_owner ON uploads (owner, createdAt)",
          "CREATE INDEX idx_uploads_expires ON uploads (expiresAt)",
        ],
      }),
    );

    app.save(
      new Collection({
        type: "base",
        name: "audit",
        listRule: admin,
        viewRule: admin,
        createRule: null,
        updateRule: null,
        deleteRule: null,
        fields: [
          text("actor", 120),
          text("action", 60, { required: true }),
          text("target", 120),
          { name: "details", type: "json", maxSize: 20000 },
          created,
        ],
        indexes: ["CREATE INDEX idx_audit_created ON audit (createdAt, id)"],
      }),
    );

    const settings = app.settings();
    // Batch requests would pass by the route limits; PocketBase's own limiter counts per address only.
    settings.batch.enabled = false;
    settings.rateLimits.enabled = false;
    settings.logs.logIP = false;
    app.save(settings);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
