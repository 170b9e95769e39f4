/**
 * Takes away what belongs to an account before the account itself goes, in steps: one transaction for all of it would hold every
 * other writer up for as long as it lasts. A step that is cut off leaves an account with less in it, which is deleted by
 * asking again; what comes in between two steps goes with the account, by cascade. Counters and the feed are the triggers' own.
 */
const ROWS_AT_ONCE = 250;
const MEDIA_AT_ONCE = 25;

const DEPENDENTS: readonly [table: string, condition: string][] = [
  ["likes", "userId = {:id}"],
  ["comments", "userId = {:id}"],
  ["likes", "mediaId IN (SELECT id FROM media WHERE userId = {:id})"],
  ["comments", "mediaId IN (SELECT id FROM media WHERE userId = {:id})"],
  ["follows", "followerId = {:id}"],
  ["follows", "followingId = {:id}"],
];

/** How many rows went. */
function deleteSome(app: CoreApp, table: string, condition: string, id: string): number {
  const result = app
    .nonconcurrentDB()
    .newQuery(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${ROWS_AT_ONCE})`,
    )
    .bind({ id })
    .execute();
  return Number(result.rowsAffected());
}

/** Each with its files, in a transaction of its own. */
function deleteSomeMedia(app: CoreApp, id: string): number {
  const media = app.findRecordsByFilter("media", "userId = {:id}", "", MEDIA_AT_ONCE, 0, { id });
  for (const one of media) if (one) app.delete(one);
  return media.length;
}

export function emptyAccount(app: CoreApp, id: string): void {
  for (const [table, condition] of DEPENDENTS) {
    while (deleteSome(app, table, condition, id) === ROWS_AT_ONCE);
  }
  while (deleteSomeMedia(app, id) === MEDIA_AT_ONCE);
}
