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
  formText,
  type MediaText,
  type Rendition,
  readIds,
  readMediaText,
  readRendition,
  TAGS_INVALID,
  TAGS_MAX_LENGTH,
} from "@hooks/finish/form";
import {
  answer,
  BUSY_REFUSAL,
  dropBadFields,
  NOT_FOUND,
  refusalOf,
  refuse,
} from "@hooks/http/refusals";
import {
  bodyOf,
  hasBadToken,
  isAdmin,
  isSuperuser,
  isSuspended,
  JSON_SECONDS,
  keepOnly,
  readBody,
  requestOf,
} from "@hooks/http/request";
import { withLock } from "@hooks/tus/partial-files";
import { uploaderOf } from "@hooks/tus/uploads";
import { isRefusal, type Refusal } from "@/domain/error-codes";
import { isId } from "@/domain/ids";
import { POST_MAX, VIEW_WINDOW_MS } from "@/domain/limits";
import { subtitlesFault, subtitlesName } from "@/domain/subtitles";
import { byteLength, mediaTextFault, parseTags } from "@/domain/texts";
import { secondsOf } from "@/domain/times";
import type { VideoFacts } from "@/domain/video-facts";
import { addressOf, refuseTooMany, takeOne } from "./limits";
import { unverifiedFault } from "./mail";
import { growthFault } from "./quotas";
import { asOneForm, asOneWriter } from "./turns";

export const mediaHandlers = {
  /**
   * Refuses to serve where a request for a thumbnail would make PocketBase decode a picture, which
   * can end the process (scripts/pocketbase.mjs). Other commands may run.
   */
  requireThumbnailsOff(e: core.BootstrapEvent): void {
    const off = $os.getenv("PB_THUMBS_MAX_WAIT") === "9223372037";
    if (!off && $os.args.includes("serve")) {
      throw new Error("Set PB_THUMBS_MAX_WAIT=9223372037, so that no picture is decoded here.");
    }
    e.next();
  },

  /** `POST /api/media`: a complete upload becomes a medium of the caller. */
  finishMedia(e: core.RequestEvent): void {
    const owner = uploaderOf(e);
    if (!owner) return;
    const draft = asOneForm(e, owner.id, () => readDraft(e, owner.id));
    if (draft === null) return;
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
        const fault = unverifiedFault(e);
        return fault ?? storeMedia(e.app, draft, file);
      },
    });
    if (isRefusal(made)) refuse(e, made);
    else answer(e, 200, made);
  },

  updateMedia(e: core.RecordRequestEvent) {
    const record = e.record as core.Record;
    if (isSuperuser(e)) {
      countSubtitles(record);
      return e.next();
    }
    keepOnly(record, ["caption", "tags", "alt", "commentsClosed"]);
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
    const body = bodyOf(requestOf(e));
    if (body["subtitles"] === undefined) return e.next();
    // Not in a transaction: the file may go to a slow store, and everybody's writes would wait.
    const lock = { name: `subtitles.${record.getString("userId")}`, waitMs: SUBTITLES_WAIT_MS };
    const refusal = withLock(
      e.app,
      lock,
      () => {
        const fault = setSubtitles(e.app, record, body["subtitles"]);
        if (fault === null) e.next();
        return fault;
      },
      () => BUSY_REFUSAL,
    );
    if (refusal !== null) refuse(requestOf(e), refusal);
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
      const who = e.auth?.id ?? address;
      const done = asOneWriter(e, who, () => {
        countView(e.app, id, viewer);
        return true;
      });
      if (done === null) return;
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

/** Until the subtitles before these are stored. */
const SUBTITLES_WAIT_MS = 10_000;

/**
 * The request gives the whole WebVTT, or "" to remove it; the row gets the name of a file. Its name
 * says what is in it, by which a device knows its own again.
 */
function setSubtitles(app: CoreApp, record: core.Record, text: unknown): Refusal | null {
  if (typeof text !== "string" || record.getString("type") !== "video") return refusalOf("invalid");
  if (text === "") {
    record.set("subtitles", "");
    countSubtitles(record);
    return null;
  }
  const fault = subtitlesFault(text);
  if (fault !== null) return refusalOf(fault);
  const name = subtitlesName($security.sha256(text));
  if (name === record.getString("subtitles")) return null;
  record.set("subtitles", renamed($filesystem.fileFromBytes(text, name), name));
  countSubtitles(record);
  const before = record.original().getInt("subtitlesSize");
  return growthFault(app, record.getString("userId"), byteLength(text) - before);
}

/** Keeps the size of the subtitles beside them, for what an account has stored. */
function countSubtitles(record: core.Record): void {
  const [chosen] = record.getUnsavedFiles("subtitles");
  if (chosen) record.set("subtitlesSize", chosen.size);
  else if (record.getString("subtitles") === "") record.set("subtitlesSize", 0);
}

interface Draft {
  id: string;
  uploadId: string;
  owner: string;
  text: MediaText;
  thumbnail: Rendition | null;
  preview: Rendition | null;
  place: PlaceInPost;
}

/** `post` is "" for a medium by itself. */
interface PlaceInPost {
  post: string;
  postIndex: number;
}

function readPlace(e: core.RequestEvent): PlaceInPost | Refusal {
  const post = formText(e, "post");
  const place = formText(e, "postIndex");
  if (post === "" && place === "") return { post, postIndex: 0 };
  if (!isId(post) || !/^\d{1,9}$/.test(place)) return refusalOf("invalid", "Invalid post.");
  const postIndex = Number(place);
  return postIndex < POST_MAX ? { post, postIndex } : refusalOf("post_full");
}

/** Places in a post are few, and each is taken once; the database refuses the same for all. */
function postFault(app: CoreApp, { id, owner, place }: Omit<Draft, "text">): Refusal | null {
  const { post, postIndex } = place;
  if (post === "") return null;
  const rows = arrayOf(new DynamicModel({ userId: "", postIndex: 0 })) as unknown as {
    userId: string;
    postIndex: number;
  }[];
  app
    .db()
    .newQuery(
      "SELECT userId, postIndex FROM media WHERE post = {:post} AND post != '' AND id != {:id}",
    )
    .bind({ post, id })
    .all(rows);
  if (rows.some((row) => row.userId !== owner)) return refusalOf("post_foreign");
  return rows.some((row) => row.postIndex === postIndex) ? refusalOf("post_taken") : null;
}

function readDraft(e: core.RequestEvent, owner: string): Draft | Refusal {
  const ids = readIds(e);
  if (isRefusal(ids)) return ids;
  const text = readMediaText(e);
  if (isRefusal(text)) return text;
  const place = readPlace(e);
  if (isRefusal(place)) return place;
  const thumbnail = readRendition(e, "thumbnail");
  if (isRefusal(thumbnail)) return thumbnail;
  const preview = readRendition(e, "preview");
  if (isRefusal(preview)) return preview;
  const renditions = { thumbnail: thumbnail.rendition, preview: preview.rendition };
  const draft = { ...ids, owner, text, place, ...renditions };
  return postFault(e.app, draft) ?? draft;
}

function storeMedia(
  app: CoreApp,
  draft: Draft,
  { detected, size, film }: CheckedFile,
): Refusal | null {
  const names = freshNames(app, draft.owner, detected.extension);
  const row = new Record(app.findCollectionByNameOrId("media"));
  row.load({
    ...draft.text,
    ...draft.place,
    id: draft.id,
    userId: draft.owner,
    type: detected.kind,
    contentType: detected.contentType,
    fileSize: size,
    ...(film && knownOf(draft.text, film)),
  });
  const { thumbnail, preview } = draft;
  if (thumbnail) row.set("thumbnail", renamed(thumbnail.file, names.thumbnail));
  if (preview) row.set("preview", renamed(preview.file, `${names.preview}.${preview.extension}`));
  try {
    saveWithFile(app, row, "file", {
      uploadId: draft.uploadId,
      name: names.file,
      contentType: detected.contentType,
    });
    return null;
  } catch (error) {
    // Another medium of the post may have taken the place meanwhile.
    const fault = postFault(app, draft);
    if (fault === null) throw error;
    return fault;
  }
}

/** A device without a decoder for a film knows neither its size nor its length. */
function knownOf({ width, height, duration }: MediaText, film: VideoFacts) {
  const size = width > 0 && height > 0 ? { width, height } : film;
  return { width: size.width, height: size.height, duration: duration || film.duration };
}

const WINDOW_SECONDS = VIEW_WINDOW_MS / 1000;
const SESSION = /^[A-Za-z0-9_-]{8,64}$/;

/** The account, or the anonymous session that the body names; "" for an unusable body. */
function viewerOf(e: core.RequestEvent): string {
  if (e.auth) return `user:${e.auth.id}`;
  const body = new DynamicModel({ session: "" }) as unknown as { session: string };
  try {
    readBody(e, JSON_SECONDS, () => e.bindBody(body));
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
