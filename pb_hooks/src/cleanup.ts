/** What time removes: uploads that nobody finished, their bytes, and tombstones that every client has long seen. */
import { partialNames, partialPath, removePartial } from "./partial-files";

const TOMBSTONE_SECONDS = 90 * 24 * 3_600;
/** Bytes without a row may belong to a row that is just being made. */
const ORPHAN_MS = 3_600_000;

function isOrphan(app: CoreApp, name: string): boolean {
  try {
    app.findRecordById("uploads", name);
    return false;
  } catch {
    return $os.stat(partialPath(app, name)).modTime().unixMilli() < Date.now() - ORPHAN_MS;
  }
}

/** Every hour. */
export function sweepUploads(): void {
  const expired = $app.findRecordsByFilter("uploads", "expiresAt < @now", "expiresAt", 500, 0);
  for (const upload of expired) if (upload) $app.delete(upload);
  for (const name of partialNames($app)) if (isOrphan($app, name)) removePartial($app, name);
}

/** Every day. Whoever stands below the new floor starts afresh: see sync. */
export function pruneTombstones(): void {
  const before = Math.floor(Date.now() / 1000) - TOMBSTONE_SECONDS;
  $app.runInTransaction((tx) => {
    const run = (sql: string) => tx.db().newQuery(sql).bind({ before }).execute();
    run(`UPDATE _seq SET floor = max(floor,
      COALESCE((SELECT max(seq) FROM _tombs WHERE at < {:before}), 0))`);
    tx.db().newQuery("DELETE FROM _tombs WHERE seq <= (SELECT floor FROM _seq)").execute();
  });
}
