/** What everybody may know about a person. */
import {
  count,
  countOf,
  defineSchema,
  filePath,
  flag,
  id,
  instantOf,
  type RawRecord,
  text,
  textOf,
} from "@/data/engine/rows";

export interface ProfileRow {
  id: string;
  username: string;
  /** Lower case: names are unique regardless of case. */
  nameKey: string;
  bio: string;
  profilePictureUrl: string;
  profileThumbnailUrl: string;
  followers: number;
  following: number;
  mediaCount: number;
  isBlocked: boolean;
  createdAt: number;
  seq: number;
}

export const profilesSchema = defineSchema<ProfileRow>(
  {
    id: id(),
    username: text(),
    nameKey: text(80),
    bio: text(),
    profilePictureUrl: text(),
    profileThumbnailUrl: text(),
    followers: count(),
    following: count(),
    mediaCount: count(),
    isBlocked: flag(),
    createdAt: count(),
    seq: count(),
  },
  [["nameKey"]],
);

export function profileRow(record: RawRecord): ProfileRow | null {
  const userId = textOf(record, "id", "uid");
  const username = textOf(record, "username");
  if (userId === "" || username === "") return null;
  return {
    id: userId,
    username,
    nameKey: username.toLowerCase(),
    bio: textOf(record, "bio"),
    // Through the view the server would scan its table for the file (platform facts).
    profilePictureUrl: filePath("users", userId, textOf(record, "profilePicture")),
    profileThumbnailUrl: filePath("users", userId, textOf(record, "profileThumbnail")),
    followers: countOf(record, "followers"),
    following: countOf(record, "following"),
    mediaCount: countOf(record, "mediaCount"),
    isBlocked: record["isBlocked"] === true,
    createdAt: instantOf(record, "createdAt"),
    seq: countOf(record, "seq"),
  };
}

/** Rows that join two identities: likes, follows and blocks. Only one's own reach this device. */

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
