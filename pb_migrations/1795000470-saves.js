/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * What people keep for themselves: a row for each medium that somebody saved (`userId_mediaId`), and
 * one for each folder (`userId_folderId`), which has a `name` and no medium. A save in a folder that
 * does not exist is in none, so a folder goes without a change of what was in it.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const me = "@request.auth.id";
    const own = `${me} != "" && userId = ${me}`;
    const forwards = '(@request.query.expand:isset = false || @request.query.expand !~ "_via_")';
    const id = (name) => ({ name, type: "text", max: 15, pattern: "^[a-z0-9]{15}$" });
    app.save(
      new Collection({
        type: "base",
        name: "saves",
        listRule: null,
        viewRule: `(${own}) && ${forwards}`,
        createRule: `${me} != ""`,
        updateRule: own,
        deleteRule: own,
        fields: [
          {
            name: "id",
            type: "text",
            system: true,
            required: true,
            primaryKey: true,
            min: 31,
            max: 31,
            pattern: "^[a-z0-9]{15}_[a-z0-9]{15}$",
            autogeneratePattern: "",
          },
          {
            name: "userId",
            type: "relation",
            collectionId: app.findCollectionByNameOrId("users").id,
            maxSelect: 1,
            required: true,
            cascadeDelete: true,
          },
          id("mediaId"),
          id("folderId"),
          { name: "name", type: "text", max: 50 },
          { name: "createdAt", type: "autodate", onCreate: true },
          { name: "seq", type: "number", onlyInt: true },
        ],
        indexes: [
          "CREATE INDEX idx_saves_seq ON saves (seq)",
          "CREATE INDEX idx_saves_user ON saves (userId, seq)",
          "CREATE INDEX idx_saves_media ON saves (mediaId) WHERE mediaId != ''",
          "CREATE INDEX idx_saves_folders ON saves (userId) WHERE mediaId = ''",
        ],
      }),
    );
    const bump = "UPDATE _seq SET v = v + 1, guard = guard + 1;";
    const lower = "UPDATE _seq SET guard = guard - 1;";
    const v = "(SELECT v FROM _seq)";
    const take = `${bump} UPDATE saves SET seq = ${v} WHERE rowid = NEW.rowid; ${lower}`;
    const changedOf = (names) => names.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
    const shown = ["folderId", "name", "createdAt"];
    const kept = ["userId", "mediaId"];
    run(`CREATE TRIGGER saves_seq_insert AFTER INSERT ON saves BEGIN
      DELETE FROM _tombs WHERE coll = 'saves' AND rid = NEW.id; ${take} END`);
    run(`CREATE TRIGGER saves_seq_update AFTER UPDATE OF ${shown.join(", ")} ON saves
      WHEN ${changedOf(shown)} BEGIN ${take} END`);
    run(`CREATE TRIGGER saves_seq_forged AFTER UPDATE OF seq ON saves
      WHEN (SELECT guard FROM _seq) = 0 BEGIN ${take} END`);
    run(`CREATE TRIGGER saves_keep AFTER UPDATE OF ${kept.join(", ")} ON saves
      WHEN (SELECT guard FROM _seq) = 0 AND (${changedOf(kept)}) BEGIN
      UPDATE _seq SET guard = guard + 1; UPDATE saves SET
      ${kept.map((name) => `${name} = OLD.${name}`).join(", ")} WHERE rowid = NEW.rowid; ${lower} END`);
    run(`CREATE TRIGGER saves_seq_delete AFTER DELETE ON saves BEGIN
      ${bump} INSERT INTO _tombs (seq, coll, rid, a, b, pub)
        VALUES (${v}, 'saves', OLD.id, OLD.userId, '', 0); ${lower} END`);
    // In one statement: PocketBase's cascade reads row by row.
    run(`CREATE TRIGGER media_saves_go AFTER DELETE ON media BEGIN
      DELETE FROM saves WHERE mediaId = OLD.id AND mediaId != ''; END`);
  },
  (app) => {
    app.db().newQuery("DROP TRIGGER media_saves_go").execute();
    app.delete(app.findCollectionByNameOrId("saves"));
    app.db().newQuery("DELETE FROM _tombs WHERE coll = 'saves'").execute();
  },
);
