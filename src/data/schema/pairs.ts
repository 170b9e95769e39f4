/** Rows that join two identities: likes, follows and blocks. Only one's own reach this device. */
import {
  count,
  countOf,
  defineSchema,
  id,
  instantOf,
  type RawRecord,
  textOf,
} from "./define-schema";

interface Pair {
  id: string;
  createdAt: number;
  seq: number;
}

export interface LikeRow extends Pair {
  mediaId: string;
  userId: string;
}
export interface FollowRow extends Pair {
  followerId: string;
  followingId: string;
}
export interface BlockRow extends Pair {
  blockerId: string;
  blockedId: string;
}

const pair = { id: id(), createdAt: count(), seq: count() };
export const likesSchema = defineSchema<LikeRow>({ ...pair, mediaId: id(), userId: id() });
export const followsSchema = defineSchema<FollowRow>(
  { ...pair, followerId: id(), followingId: id() },
  [["followerId"], ["followingId"]],
);
export const blocksSchema = defineSchema<BlockRow>({ ...pair, blockerId: id(), blockedId: id() });

const pairOf = (record: RawRecord): Pair => ({
  id: textOf(record, "id"),
  createdAt: instantOf(record, "createdAt"),
  seq: countOf(record, "seq"),
});

export function likeRow(record: RawRecord): LikeRow | null {
  const row = {
    ...pairOf(record),
    mediaId: textOf(record, "mediaId"),
    userId: textOf(record, "userId"),
  };
  return row.id === "" || row.mediaId === "" ? null : row;
}

export function followRow(record: RawRecord): FollowRow | null {
  const followerId = textOf(record, "followerId");
  const followingId = textOf(record, "followingId");
  const row = { ...pairOf(record), followerId, followingId };
  return row.id === "" || followerId === "" || followingId === "" ? null : row;
}

export function blockRow(record: RawRecord): BlockRow | null {
  const blockerId = textOf(record, "blockerId");
  const blockedId = textOf(record, "blockedId");
  const row = { ...pairOf(record), blockerId, blockedId };
  return row.id === "" || blockerId === "" || blockedId === "" ? null : row;
}
