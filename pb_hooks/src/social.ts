/** Likes, comments, follows and blocks: rows between one person and a medium, or between two people. */

import type { ErrorCode } from "@/domain/error-codes";
import { pairId } from "@/domain/ids";
import { COMMENT_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
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
} from "./acting";
import { nextAudited } from "./audit";
import { refuse } from "./refuse";
import { refusalOf, refused } from "./refused";

/** A row whose id is composed of two: `owner` is the field of the one who makes it, `id` joins both. */
interface PairRow {
  fields: readonly [first: string, second: string];
  owner: string;
  /** Where `second`, or `first` when the owner is the second, must exist. */
  other: { field: string; collection: string };
}

const LIKE: PairRow = {
  fields: ["mediaId", "userId"],
  owner: "userId",
  other: { field: "mediaId", collection: "media" },
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

export const createLike = (e: core.RecordRequestEvent): void => createPair(e, LIKE);
export const createFollow = (e: core.RecordRequestEvent): void => createPair(e, FOLLOW);
export const createBlock = (e: core.RecordRequestEvent): void => createPair(e, BLOCK);

export function createComment(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  const record = e.record as core.Record;
  const request = requestOf(e);
  keepOnly(record, ["mediaId", "userId", "text"]);
  if (record.getString("userId") !== userIdOf(e)) return refuse(request, refusalOf("forbidden"));
  if (isRepeat(e, "userId")) return refuse(request, refusalOf("duplicate"));
  const text = record.getString("text").trim();
  if (isBlank(text)) return refuse(request, refusalOf("text_empty"));
  if (text.length > COMMENT_MAX) return refuse(request, refusalOf("text_long"));
  if (!findRecord(e.app, "media", record.getString("mediaId"))) {
    return refuse(request, refusalOf("gone"));
  }
  record.set("text", text);
  e.next();
}

/** An admin's act on what is not his is written down. */
export function deleteOwned(e: core.RecordRequestEvent) {
  const record = e.record as core.Record;
  const isOthers = record.getString("userId") !== userIdOf(e);
  if (isSuperuser(e) || !isAdmin(e) || !isOthers) return e.next();
  nextAudited(e, () => ({
    action: `${e.collection?.name}.delete`,
    target: record.id,
    details: {
      userId: record.getString("userId"),
      text: (record.getString("caption") || record.getString("text")).slice(0, 200),
    },
  }));
}

/** Runs inside the innermost save of `e.model`, in a transaction with it: `check` throws to refuse. */
function saveChecked(e: core.ModelEvent, check: (tx: CoreApp, record: core.Record) => void) {
  const record = e.model as unknown as core.Record;
  inTransaction(e as { app: CoreApp }, (tx) => {
    if (!record.get(TRUSTED)) check(tx, record);
    e.next();
  });
}

function refuseBlocked(tx: CoreApp, a: string, b: string) {
  if (a !== b && isBlockedEitherWay(tx, a, b)) throw refused("blocked");
}

/** Nobody likes or comments what belongs to somebody who blocked him, or whom he blocked. */
export function saveOnMedia(e: core.ModelEvent) {
  saveChecked(e, (tx, record) => {
    const media = findRecord(tx, "media", record.getString("mediaId"));
    if (!media) throw refused("gone");
    record.set(
      "username",
      findRecord(tx, "users", record.getString("userId"))?.getString("username"),
    );
    refuseBlocked(tx, record.getString("userId"), media.getString("userId"));
  });
}

export function saveFollow(e: core.ModelEvent) {
  saveChecked(e, (tx, record) => {
    const [follower, following] = [record.getString("followerId"), record.getString("followingId")];
    if (follower === following) throw refused("self");
    refuseBlocked(tx, follower, following);
  });
}

/** Blocking ends the blocker's own follow in the same transaction, whoever wrote the row. */
export function saveBlock(e: core.ModelEvent) {
  inTransaction(e as { app: CoreApp }, (tx) => {
    const record = e.model as unknown as core.Record;
    const [blocker, blocked] = [record.getString("blockerId"), record.getString("blockedId")];
    if (blocker === blocked) throw refused("self");
    const follow = findRecord(tx, "follows", pairId(blocker, blocked));
    if (follow) tx.delete(follow);
    e.next();
  });
}
