/**
 * Media as rows: an upload becomes one, its owner edits its texts, admins see its reports, and
 * everybody's views are counted.
 *
 * Each person, or each anonymous session, counts once per medium in half an hour; the owner never
 * does. A count does not move its row in the feed. Rows with new counts are announced together,
 * every ten minutes.
 */
import { hintEveryone } from "@hooks/feed/hints";
import {
  type CheckedFile,
  finishUpload,
  freshNames,
  renamed,
  saveWithFile,
} from "@hooks/finish/finish-upload";
import {
  type MediaText,
  type Rendition,
  readIds,
  readMediaText,
  readRendition,
  TAGS_INVALID,
  TAGS_MAX_LENGTH,
} from "@hooks/finish/form";
import { answer, dropBadFields, NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import {
  hasBadToken,
  isAdmin,
  isSuperuser,
  isSuspended,
  keepOnly,
  requestOf,
} from "@hooks/http/request";
import { uploaderOf } from "@hooks/tus/uploads";
import { isRefusal, type Refusal } from "@/domain/error-codes";
import { isId } from "@/domain/ids";
import { VIEW_WINDOW_MS } from "@/domain/limits";
import { mediaTextFault, parseTags } from "@/domain/texts";
import { secondsOf } from "@/domain/times";
import { addressOf, refuseTooMany, takeOne } from "./limits";

export const mediaHandlers = {
  /** `POST /api/media`: a complete upload becomes a medium of the caller. */
  finishMedia(e: core.RequestEvent): void {
    const owner = uploaderOf(e);
    if (!owner) return;
    const draft = readDraft(e, owner.id);
    if (isRefusal(draft)) {
      refuse(e, draft);
      return;
    }
    const made = finishUpload(e, {
      collection: "media",
      ownerField: "userId",
      id: draft.id,
      uploadId: draft.uploadId,
      owner: owner.id,
      store: (file) => {
        storeMedia(e.app, draft, file);
        return null;
      },
    });
    if (isRefusal(made)) refuse(e, made);
    else answer(e, 200, made);
  },

  updateMedia(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    keepOnly(record, ["caption", "tags", "alt"]);
    const raw = record.getString("tags");
    if (raw.length > TAGS_MAX_LENGTH) return refuse(requestOf(e), refusalOf("tags_many"));
    const stored: unknown = JSON.parse(raw || "[]");
    const isTexts = !Array.isArray(stored) || stored.every((tag) => typeof tag === "string");
    if (!isTexts) return refuse(requestOf(e), TAGS_INVALID);
    const tags = parseTags(stored);
    const fault = mediaTextFault({
      caption: record.getString("caption"),
      tags,
      alt: record.getString("alt"),
    });
    if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
    record.set("tags", tags);
    e.next();
  },

  /** Shows the hidden field `reports` to admins. */
  showReportsInView(e: core.RecordRequestEvent) {
    dropBadFields(requestOf(e));
    if (isAdmin(e)) e.record?.unhide("reports");
    e.next();
  },

  /** `POST /api/media/{id}/view`. Answers the new count. */
  recordView(e: core.RequestEvent): void {
    const id = e.request?.pathValue("id") ?? "";
    const viewed = isId(id) ? readViewed(e.app, id) : null;
    if (!viewed) {
      refuse(e, NOT_FOUND);
      return;
    }
    // An expired token may be the owner's, whose views do not count.
    if (hasBadToken(e)) {
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
    const address = addressOf(e);
    const wait = takeOne(e.app, "writesPerMinute", e.auth?.id ?? address);
    if (wait > 0) {
      refuseTooMany(e, wait);
      return;
    }
    const isCounted = e.auth?.id !== viewed.userId && !e.auth?.isSuperuser();
    // Beyond that many the views of an address are answered, and not counted.
    if (isCounted && takeOne(e.app, "viewsPerHour", `${id} ${address}`) === 0) {
      countView(e.app, id, viewer);
    }
    answer(e, 200, { views: readViewed(e.app, id)?.views ?? viewed.views });
  },

  /** Runs every ten minutes: brings rows with new counts into the feed and forgets old views. */
  announceViews(): void {
    let moved = 0;
    let batch = 0;
    do {
      batch = announceSome($app);
      moved += batch;
    } while (batch === BATCH);
    if (moved > 0) hintEveryone($app);
    $app
      .db()
      .newQuery("DELETE FROM _views WHERE at <= {:before}")
      .bind({ before: secondsOf(Date.now()) - WINDOW_SECONDS })
      .execute();
  },
};

interface Draft {
  id: string;
  uploadId: string;
  owner: string;
  text: MediaText;
  thumbnail: Rendition | null;
  preview: Rendition | null;
}

function readDraft(e: core.RequestEvent, owner: string): Draft | Refusal {
  const ids = readIds(e);
  if (isRefusal(ids)) return ids;
  const text = readMediaText(e);
  if (isRefusal(text)) return text;
  const thumbnail = readRendition(e, "thumbnail");
  if (isRefusal(thumbnail)) return thumbnail;
  const preview = readRendition(e, "preview");
  if (isRefusal(preview)) return preview;
  return { ...ids, owner, text, thumbnail: thumbnail.rendition, preview: preview.rendition };
}

function storeMedia(app: CoreApp, draft: Draft, { detected, size }: CheckedFile): void {
  const names = freshNames(app, draft.owner, detected.extension);
  const row = new Record(app.findCollectionByNameOrId("media"));
  row.load({
    ...draft.text,
    id: draft.id,
    userId: draft.owner,
    type: detected.kind,
    contentType: detected.contentType,
    fileSize: size,
  });
  const { thumbnail, preview } = draft;
  if (thumbnail) row.set("thumbnail", renamed(thumbnail.file, names.thumbnail));
  if (preview) row.set("preview", renamed(preview.file, `${names.preview}.${preview.extension}`));
  saveWithFile(app, row, "file", {
    uploadId: draft.uploadId,
    name: names.file,
    contentType: detected.contentType,
  });
}

const WINDOW_SECONDS = VIEW_WINDOW_MS / 1000;
const SESSION = /^[A-Za-z0-9_-]{8,64}$/;

/** The account, or the anonymous session that the body names; "" for an unusable body. */
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

/** Raises the count, unless this viewer was counted within the window. */
function countView(app: CoreApp, media: string, viewer: string): void {
  const at = secondsOf(Date.now());
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

interface Viewed {
  userId: string;
  views: number;
}

function readViewed(app: CoreApp, id: string): Viewed | null {
  const row = new DynamicModel({ userId: "", views: 0 }) as unknown as Viewed;
  try {
    app.db().newQuery("SELECT userId, views FROM media WHERE id = {:id}").bind({ id }).one(row);
    return row;
  } catch {
    return null;
  }
}

/** Rows that one transaction of the announcement renumbers. */
const BATCH = 500;

function announceSome(app: CoreApp): number {
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
