/// <reference path="../.cache/pocketbase/types.d.ts" />
/** Who wrote a comment may change its text for a while (pb_hooks/src/social.ts): `editedAt` says so. */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const comments = app.findCollectionByNameOrId("comments");
    comments.fields.add(new DateField({ name: "editedAt" }));
    comments.updateRule = app.findCollectionByNameOrId("media").updateRule;
    app.save(comments);
    const shown = ["text", "replies", "editedAt", "createdAt"];
    run("DROP TRIGGER comments_seq_update");
    run(`CREATE TRIGGER comments_seq_update AFTER UPDATE OF ${shown.join(", ")} ON comments
      WHEN ${shown.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ")}
      BEGIN UPDATE _seq SET v = v + 1, guard = guard + 1;
      UPDATE comments SET seq = (SELECT v FROM _seq) WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
  },
  () => {
    throw new Error("Older versions let nobody change a comment: restore a backup instead.");
  },
);
