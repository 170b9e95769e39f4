/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * People, comments and messages are reported, too: `kind` and `targetId` say what, `topic` is the
 * reason chosen, beside which words of one's own may be missing, and `context` holds the messages
 * around a reported one (pb_hooks/src/reports.ts). Of a medium `targetId` repeats `mediaId`; of
 * everything else that is "".
 */
migrate(
  (app) => {
    const run = (sql) => app.db().newQuery(sql).execute();
    const reports = app.findCollectionByNameOrId("reports");
    const text = (name, max) => new TextField({ name, max });
    for (const name of ["mediaId", "reason"]) reports.fields.getByName(name).required = false;
    for (const field of [text("kind", 20), text("targetId", 15), text("topic", 20)])
      reports.fields.add(field);
    reports.fields.add(new JSONField({ name: "context", maxSize: 200_000, hidden: true }));
    reports.indexes = [
      ...reports.indexes,
      "CREATE INDEX idx_reports_target ON reports (targetId)",
      "CREATE INDEX idx_reports_kind ON reports (kind, number)",
      "CREATE INDEX idx_reports_kind_judged ON reports (kind, status, number)",
    ];
    app.save(reports);
    run("UPDATE reports SET kind = 'media', targetId = mediaId");

    const kept = ["kind", "targetId"];
    run(`CREATE TRIGGER reports_keep_target AFTER UPDATE OF ${kept.join(", ")} ON reports
      WHEN (SELECT guard FROM _seq) = 0
        AND (${kept.map((name) => `NEW.${name} IS NOT OLD.${name}`).join(" OR ")}) BEGIN
      UPDATE _seq SET guard = guard + 1; UPDATE reports SET
        ${kept.map((name) => `${name} = OLD.${name}`).join(", ")} WHERE rowid = NEW.rowid;
      UPDATE _seq SET guard = guard - 1; END`);
  },
  () => {
    throw new Error(
      "Older versions take every report for one of a medium: restore a backup instead.",
    );
  },
);
