/**
 * Takes the messages out of a conversation before it goes itself: the cascade would load and delete every one as a record, which
 * takes minutes for a long chat. In steps, so that nobody else waits for all of it; one that is cut off leaves a conversation with
 * fewer messages, which is deleted by asking again. What is said between two steps goes by cascade. Counters and the feed
 * are the triggers' own.
 */
const TEXTS_AT_ONCE = 500;
const PHOTOS_AT_ONCE = 25;

/** The oldest first: the conversation's preview stays the same until the last step. How many went. */
function deleteSomeTexts(app: CoreApp, id: string): number {
  const result = app
    .nonconcurrentDB()
    .newQuery(
      `DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages
       WHERE conversationId = {:id} AND image = '' AND thumbnail = '' ORDER BY ord LIMIT ${TEXTS_AT_ONCE})`,
    )
    .bind({ id })
    .execute();
  return Number(result.rowsAffected());
}

/** As records, for their files. */
function deleteSomePhotos(app: CoreApp, id: string): number {
  const where = "conversationId = {:id}";
  const photos = app.findRecordsByFilter("messages", where, "ord", PHOTOS_AT_ONCE, 0, { id });
  for (const photo of photos) if (photo) app.delete(photo);
  return photos.length;
}

export function emptyConversation(app: CoreApp, id: string): void {
  while (deleteSomeTexts(app, id) === TEXTS_AT_ONCE);
  while (deleteSomePhotos(app, id) === PHOTOS_AT_ONCE);
}
