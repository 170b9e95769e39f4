/** What time removes: uploads that nobody finished, their bytes, and tombstones that every client has long seen. */
import { findRecord } from "./acting";
import { partialNames, partialPath, removePartial } from "./partial-files";

const TOMBSTONE_SECONDS = 90 * 24 * 3_600;
/** Bytes without a row may belong to a row that is just being made. */
const ORPHAN_MS = 3_600_000;
/** Rows that one step takes. */
const UPLOADS = 200;
const TOMBSTONES = 5_000;

function isOrphan(app: CoreApp, name: string): boolean {
  if (findRecord(app, "uploads", name) !== null) return false;
  return $os.stat(partialPath(app, name)).modTime().unixMilli() < Date.now() - ORPHAN_MS;
}

/** Bytes of unfinished uploads that no row names. */
export const orphanedPartials = (app: CoreApp): string[] =>
  partialNames(app).filter((name) => isOrphan(app, name));

/** Uploads that nobody finished in time, by id behind `after`. */
export function expiredUploads(app: CoreApp, after: string): core.Record[] {
  const rows = app.findRecordsByFilter(
    "uploads",
    "expiresAt < @now && id > {:after}",
    "id",
    UPLOADS,
    0,
    { after },
  );
  return rows.filter((row) => row !== undefined) as core.Record[];
}

/** Every hour. */
export function sweepUploads(): void {
  for (let rows = expiredUploads($app, ""); rows.length > 0; ) {
    for (const upload of rows) $app.delete(upload);
    rows = expiredUploads($app, rows[rows.length - 1]?.id ?? "");
  }
  for (const name of orphanedPartials($app)) removePartial($app, name);
}

const oldest = (): number => Math.floor(Date.now() / 1000) - TOMBSTONE_SECONDS;

export function countTombstones(app: CoreApp): number {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery("SELECT count(*) AS n FROM _tombs WHERE at < {:before}")
    .bind({ before: oldest() })
    .one(row);
  return row.n;
}

/** Removes the oldest, some at a time; whoever stands below the new floor starts afresh: see sync. */
export function pruneSomeTombstones(app: CoreApp): number {
  let removed = 0;
  app.runInTransaction((tx) => {
    tx.db()
      .newQuery(
        `UPDATE _seq SET floor = max(floor, COALESCE((SELECT max(seq) FROM
           (SELECT seq FROM _tombs WHERE at < {:before} ORDER BY seq LIMIT ${TOMBSTONES})), 0))`,
      )
      .bind({ before: oldest() })
      .execute();
    const result = tx
      .db()
      .newQuery("DELETE FROM _tombs WHERE seq <= (SELECT floor FROM _seq)")
      .execute();
    removed = Number(result.rowsAffected());
  });
  return removed;
}

/** Every day. */
export function pruneTombstones(): void {
  while (pruneSomeTombstones($app) > 0);
}
