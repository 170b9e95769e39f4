/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * One may follow a tag as one follows a person: such a follow names a `tag`, without case and
 * accents, how it was `written`, and nobody (`followingId` is ""). It concerns its follower alone
 * and counts nowhere.
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const follows = app.findCollectionByNameOrId("follows");
    follows.fields.getByName("followingId").required = false;
    follows.fields.add(new TextField({ name: "tag", max: 100 }));
    follows.fields.add(new TextField({ name: "written", max: 50 }));
    follows.addIndex("idx_follows_tag", false, "followerId, tag", "tag != ''");
    app.save(follows);
    const guarded = (statements) =>
      `BEGIN UPDATE _seq SET guard = guard + 1; ${statements} UPDATE _seq SET guard = guard - 1; END`;
    const add = (row, sign) =>
      `UPDATE users SET followers = followers ${sign} 1 WHERE id = ${row}.followingId;
       UPDATE users SET following = following ${sign} 1 WHERE id = ${row}.followerId;`;
    for (const name of ["count_insert", "count_delete", "keep"])
      run(`DROP TRIGGER follows_${name}`);
    run(`CREATE TRIGGER follows_count_insert AFTER INSERT ON follows
      WHEN NEW.tag = '' ${guarded(add("NEW", "+"))}`);
    run(`CREATE TRIGGER follows_count_delete AFTER DELETE ON follows
      WHEN OLD.tag = '' ${guarded(add("OLD", "-"))}`);
    const kept = ["followerId", "followingId", "tag"];
    const changed = kept.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ");
    const old = kept.map((name) => `${name} = OLD.${name}`).join(", ");
    run(`CREATE TRIGGER follows_keep AFTER UPDATE OF ${kept.join(", ")} ON follows
      WHEN (SELECT guard FROM _seq) = 0 AND (${changed})
      ${guarded(`UPDATE follows SET ${old} WHERE rowid = NEW.rowid;`)}`);
  },
  () => {
    throw new Error("Older versions count followed tags as people: restore a backup instead.");
  },
);
