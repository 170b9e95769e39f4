/**
 * Likes, comments, follows and blocks: rows between a person and a medium, or between two people.
 * Each save hook checks blocks in the transaction that writes the row.
 */
import { nextAudited } from "@hooks/admin/audit";
import { refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import {
  findRecord,
  inTransaction,
  isAdmin,
  isBlockedEitherWay,
  isRepeat,
  isSuperuser,
  keepOnly,
  requestOf,
  TRUSTED,
  userIdOf,
} from "@hooks/http/request";
import type { ErrorCode } from "@/domain/error-codes";
import { followId, pairId, TAG_SIGN } from "@/domain/ids";
import {
  COMMENT_EDIT_MS,
  COMMENT_MAX,
  FOLLOWED_TAGS_MAX,
  REPLIES_MAX,
  TAG_MAX,
} from "@/domain/limits";
import { foldText } from "@/domain/search-terms";
import { isBlank } from "@/domain/texts";
import { parseInstant } from "@/domain/times";
import { unverifiedFault } from "./mail";
import { boundMutes, createMute, isMute } from "./mutes";
import { reasonOf, tellRemoval } from "./notifications";
import { closeReports } from "./reports";

export const socialHandlers = {
  createLike: (e: core.RecordRequestEvent): void =>
    createPair(e, isOfComment(e.record as core.Record) ? COMMENT_LIKE : LIKE),

  createFollow: (e: core.RecordRequestEvent): void =>
    isOfTag(e.record as core.Record) ? createTagFollow(e) : createPair(e, FOLLOW),

  createBlock: (e: core.RecordRequestEvent): void =>
    isMute(e.record as core.Record) ? createMute(e) : createPair(e, BLOCK),

  createComment(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    const request = requestOf(e);
    keepOnly(record, ["mediaId", "userId", "text", "parentId"]);
    if (record.getString("userId") !== userIdOf(e)) return refuse(request, refusalOf("forbidden"));
    if (isRepeat(e, "userId")) return refuse(request, refusalOf("duplicate"));
    const fault = unverifiedFault(e);
    if (fault !== null) return refuse(request, fault);
    const text = record.getString("text").trim();
    if (text.length > COMMENT_MAX) return refuse(request, refusalOf("text_long"));
    if (isBlank(text)) return refuse(request, refusalOf("text_empty"));
    if (!findRecord(e.app, "media", record.getString("mediaId"))) {
      return refuse(request, refusalOf("gone"));
    }
    record.set("text", text);
    e.next();
  },

  /** Changes the text, for a quarter of an hour. */
  updateComment(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    keepOnly(record, ["text"]);
    const text = record.getString("text").trim();
    record.set("text", text);
    // Sent again after an answer that was lost, it changes nothing, however late.
    if (text === record.original().getString("text")) return e.next();
    const fault = editFault(e, text);
    if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
    record.set("editedAt", new Date().toISOString());
    e.next();
  },

  /**
   * Audits an admin who deletes a medium or a comment of somebody else, and tells the owner of a
   * medium, with the `reason` of the body.
   */
  deleteOwned(e: core.RecordRequestEvent) {
    const record = e.record as core.Record;
    const isOthers = record.getString("userId") !== userIdOf(e);
    const isMedium = e.collection?.name === "media";
    const reason = isMedium ? reasonOf(requestOf(e)) : "";
    if (reason === null) return refuse(requestOf(e), refusalOf("text_long"));
    const decide = () => {
      if (isMedium) tellRemoval(e.app as CoreApp, record, reason);
      return { ...(reason && { reason }), ...closeReports(e.app as CoreApp, record.id) };
    };
    if (isSuperuser(e)) {
      return inTransaction(e, () => {
        decide();
        e.next();
      });
    }
    if (!isAdmin(e) || !isOthers) return e.next();
    nextAudited(e, () => ({
      action: `${e.collection?.name}.delete`,
      target: record.id,
      details: {
        userId: record.getString("userId"),
        text: (record.getString("caption") || record.getString("text")).slice(0, 200),
        ...decide(),
      },
    }));
  },

  /**
   * Refuses likes and comments where the owner or the author has blocked the other, and a comment
   * that was deleted: its creation may have been sent twice, and come late for the second time.
   */
  saveOnMedia(e: core.ModelEvent) {
    saveChecked(e, (tx, record) => {
      if (isOfComment(record)) return checkCommentLike(tx, record);
      const media = findRecord(tx, "media", record.getString("mediaId"));
      if (!media || wasDeleted(tx, record)) throw refusalError("gone");
      record.set(
        "username",
        findRecord(tx, "users", record.getString("userId"))?.getString("username"),
      );
      refuseBlocked(tx, record.getString("userId"), media.getString("userId"));
      checkParent(tx, record);
      const isComment = record.collection()?.name === "comments";
      if (isComment && media.getBool("commentsClosed")) throw refusalError("comments_closed");
    });
  },

  saveFollow(e: core.ModelEvent) {
    saveChecked(e, (tx, record) => {
      const [follower, following] = [
        record.getString("followerId"),
        record.getString("followingId"),
      ];
      if (isOfTag(record)) {
        if (countTags(tx, follower) >= FOLLOWED_TAGS_MAX) throw refusalError("follows_many");
        return;
      }
      if (follower === following) throw refusalError("self");
      refuseBlocked(tx, follower, following);
    });
  },

  /** A block ends the blocker's own follow in the same transaction; a mute does nothing else. */
  saveBlock(e: core.ModelEvent) {
    inTransaction(e as { app: CoreApp }, (tx) => {
      const record = e.model as unknown as core.Record;
      if (isMute(record)) {
        if (!record.get(TRUSTED)) boundMutes(tx, record);
        return e.next();
      }
      const [blocker, blocked] = [record.getString("blockerId"), record.getString("blockedId")];
      if (blocker === blocked) throw refusalError("self");
      const follow = findRecord(tx, "follows", pairId(blocker, blocked));
      if (follow) tx.delete(follow);
      e.next();
    });
  },
};

function editFault(e: core.RecordRequestEvent, text: string): ErrorCode | null {
  const record = e.record as core.Record;
  if (text.length > COMMENT_MAX) return "text_long";
  if (isBlank(text)) return "text_empty";
  const made = parseInstant(record.original().getString("createdAt"));
  if (Date.now() - made > COMMENT_EDIT_MS) return "edit_late";
  const owner = findRecord(e.app, "media", record.getString("mediaId"))?.getString("userId") ?? "";
  const me = record.getString("userId");
  return owner !== me && isBlockedEitherWay(e.app, me, owner) ? "blocked" : null;
}

const isOfComment = (record: core.Record): boolean =>
  record.collection()?.name === "likes" && record.getString("commentId") !== "";

function checkCommentLike(tx: CoreApp, like: core.Record): void {
  const comment = findRecord(tx, "comments", like.getString("commentId"));
  const media = findRecord(tx, "media", comment?.getString("mediaId") ?? "");
  if (!comment || !media) throw refusalError("gone");
  const me = like.getString("userId");
  for (const other of [comment, media]) refuseBlocked(tx, me, other.getString("userId"));
}

/** Refuses what is no answer to a comment on the same medium, or the answer to an answer. */
function checkParent(tx: CoreApp, record: core.Record): void {
  const parentId = record.getString("parentId");
  if (parentId === "" || record.collection()?.name !== "comments") return;
  const parent = findRecord(tx, "comments", parentId);
  if (!parent) throw refusalError("gone");
  const isOther = parent.getString("mediaId") !== record.getString("mediaId");
  if (isOther || parent.getString("parentId") !== "") throw refusalError("invalid");
  if (parent.getInt("replies") >= REPLIES_MAX) throw refusalError("replies_many");
  refuseBlocked(tx, record.getString("userId"), parent.getString("userId"));
}

/** Whether it is a comment that the feed knows as deleted. A like comes again under its id. */
function wasDeleted(tx: CoreApp, record: core.Record): boolean {
  if (record.collection()?.name !== "comments") return false;
  const one = new DynamicModel({ found: 0 }) as unknown as { found: number };
  tx.db()
    .newQuery(
      "SELECT EXISTS (SELECT 1 FROM _tombs WHERE coll = 'comments' AND rid = {:id}) AS found",
    )
    .bind({ id: record.id })
    .one(one);
  return one.found > 0;
}

/** A row whose id joins the values of two fields. */
interface PairRow {
  fields: readonly [first: string, second: string];
  /** The field with the id of the row's creator. */
  owner: string;
  /** The other field, and the collection where its value must exist. */
  other: { field: string; collection: string };
}

const LIKE: PairRow = {
  fields: ["mediaId", "userId"],
  owner: "userId",
  other: { field: "mediaId", collection: "media" },
};

const COMMENT_LIKE: PairRow = {
  fields: ["commentId", "userId"],
  owner: "userId",
  other: { field: "commentId", collection: "comments" },
};

const FOLLOW: PairRow = {
  fields: ["followerId", "followingId"],
  owner: "followerId",
  other: { field: "followingId", collection: "users" },
};

const BLOCK: PairRow = {
  fields: ["blockerId", "blockedId"],
  owner: "blockerId",
  other: { field: "blockedId", collection: "users" },
};

function pairFault(e: core.RecordRequestEvent, row: PairRow): ErrorCode | null {
  const record = e.record as core.Record;
  const me = userIdOf(e);
  const [first, second] = row.fields;
  const id = pairId(record.getString(first), record.getString(second));
  if (record.getString(row.owner) !== me) return "forbidden";
  if (record.getString(row.other.field) === me) return "self";
  if (record.id !== "" && record.id !== id) return "invalid";
  if (!findRecord(e.app, row.other.collection, record.getString(row.other.field))) return "gone";
  record.set("id", id);
  return null;
}

function createPair(e: core.RecordRequestEvent, row: PairRow) {
  if (isSuperuser(e)) return e.next();
  keepOnly(e.record as core.Record, row.fields);
  const fault = pairFault(e, row);
  if (fault !== null) return refuse(requestOf(e), refusalOf(fault));
  e.next();
}

const isOfTag = (follow: core.Record): boolean =>
  follow.getString("followingId") === "" && follow.getString("tag") !== "";

function createTagFollow(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  const record = e.record as core.Record;
  keepOnly(record, ["followerId", "tag"]);
  const me = userIdOf(e);
  if (record.getString("followerId") !== me) return refuse(requestOf(e), refusalOf("forbidden"));
  const written = record.getString("tag");
  if (written.length > TAG_MAX) return refuse(requestOf(e), refusalOf("tag_long"));
  const tag = foldText(written);
  const id = followId(me, TAG_SIGN + tag);
  if (isBlank(tag) || (record.id !== "" && record.id !== id))
    return refuse(requestOf(e), refusalOf("invalid"));
  record.set("id", id);
  record.set("tag", tag);
  record.set("written", written);
  e.next();
}

function countTags(tx: CoreApp, followerId: string): number {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  tx.db()
    .newQuery("SELECT count(*) AS n FROM follows WHERE followerId = {:id} AND tag != ''")
    .bind({ id: followerId })
    .one(row);
  return row.n;
}

/** Saves the row in one transaction with `check`, which throws to refuse. */
function saveChecked(e: core.ModelEvent, check: (tx: CoreApp, record: core.Record) => void) {
  const record = e.model as unknown as core.Record;
  inTransaction(e as { app: CoreApp }, (tx) => {
    if (!record.get(TRUSTED)) check(tx, record);
    e.next();
  });
}

function refuseBlocked(tx: CoreApp, a: string, b: string) {
  if (a !== b && isBlockedEitherWay(tx, a, b)) throw refusalError("blocked");
}
