/**
 * Views of media: each person, or each anonymous session, counts once per medium in half an hour, the owner never.
 * A count does not move its row in the feed; rows with new counts are announced together every ten minutes.
 */
import { isId } from "@/domain/ids";
import { VIEW_WINDOW_MS } from "@/domain/limits";
import { authOf, isSuspended } from "./acting";
import { hintEveryone } from "./hints";
import { refuseTooMany, takeOne } from "./limits";
import { answer, NOT_FOUND, refuse } from "./refuse";
import { refusalOf } from "./refused";

const WINDOW_SECONDS = VIEW_WINDOW_MS / 1000;
/** Rows that one transaction of the announcement renumbers. */
const BATCH = 500;
const SESSION = /^[A-Za-z0-9_-]{8,64}$/;

/** Who looks: an account, or what the body says of an anonymous session. "" where it says nothing usable. */
function viewerOf(e: core.RequestEvent): string {
  if (e.auth) return `user:${e.auth.id}`;
  const body = new DynamicModel({ session: "" }) as unknown as { session: string };
  try {
    e.bindBody(body);
  } catch {
    return "";
  }
  return SESSION.test(body.session) ? `session:${body.session}` : "";
}

/** Notes the view and raises the count unless this viewer was counted lately. */
function count(app: CoreApp, media: string, viewer: string): void {
  const at = Math.floor(Date.now() / 1000);
  app.runInTransaction((tx) => {
    const noted = tx
      .db()
      .newQuery(
        `INSERT INTO _views (media, viewer, at) VALUES ({:media}, {:viewer}, {:at})
         ON CONFLICT (media, viewer) DO UPDATE SET at = excluded.at
         WHERE _views.at <= excluded.at - ${WINDOW_SECONDS}`,
      )
      .bind({ media, viewer, at })
      .execute();
    if (Number(noted.rowsAffected()) === 0) return;
    tx.db()
      .newQuery("UPDATE media SET views = views + 1 WHERE id = {:media}")
      .bind({ media })
      .execute();
  });
}

interface Seen {
  userId: string;
  views: number;
}

function readSeen(app: CoreApp, id: string): Seen | null {
  const row = new DynamicModel({ userId: "", views: 0 }) as unknown as Seen;
  try {
    app.db().newQuery("SELECT userId, views FROM media WHERE id = {:id}").bind({ id }).one(row);
    return row;
  } catch {
    return null;
  }
}

/** `POST /api/media/{id}/view`. Answers the count as it stands then. */
export function recordView(e: core.RequestEvent): void {
  const id = e.request?.pathValue("id") ?? "";
  const seen = isId(id) ? readSeen(e.app, id) : null;
  if (!seen) {
    refuse(e, NOT_FOUND);
    return;
  }
  // A token that has expired may be the owner's.
  if (authOf(e) === null && (e.request?.header.get("Authorization") ?? "") !== "") {
    refuse(e, refusalOf("unauthenticated"));
    return;
  }
  if (isSuspended(e)) {
    refuse(e, refusalOf("suspended"));
    return;
  }
  const viewer = viewerOf(e);
  if (viewer === "") {
    refuse(e, refusalOf("invalid", "A session is needed."));
    return;
  }
  const wait = takeOne(e.app, "writesPerMinute", e.auth?.id ?? e.realIP());
  if (wait > 0) {
    refuseTooMany(e, wait);
    return;
  }
  const isCounted = e.auth?.id !== seen.userId && !e.auth?.isSuperuser();
  if (isCounted) count(e.app, id, viewer);
  answer(e, 200, { views: readSeen(e.app, id)?.views ?? seen.views });
}

function announceBatch(app: CoreApp): number {
  let moved = 0;
  app.runInTransaction((tx) => {
    const some = `SELECT media FROM _views_dirty ORDER BY media LIMIT ${BATCH}`;
    // Any value written to `seq` by hand gives the row the next number.
    tx.db().newQuery(`UPDATE media SET seq = 0 WHERE id IN (${some})`).execute();
    const result = tx.db().newQuery(`DELETE FROM _views_dirty WHERE media IN (${some})`).execute();
    moved = Number(result.rowsAffected());
  });
  return moved;
}

/** Every ten minutes: rows with new counts come into the feed, and old views are forgotten. */
export function announceViews(): void {
  let moved = 0;
  let batch = 0;
  do {
    batch = announceBatch($app);
    moved += batch;
  } while (batch === BATCH);
  if (moved > 0) hintEveryone($app);
  $app
    .db()
    .newQuery("DELETE FROM _views WHERE at <= {:before}")
    .bind({ before: Math.floor(Date.now() / 1000) - WINDOW_SECONDS })
    .execute();
}
