/** The replica's rows of people: public profiles, and the user's own follows and blocks. */
import type { Collection } from "@/data/engine/noun";
import {
  count,
  countOf,
  defineSchema,
  filePath,
  flag,
  id,
  instantOf,
  pairColumns,
  pairOf,
  type RawRecord,
  type RowOf,
  text,
  textOf,
} from "@/data/engine/rows";

const profileColumns = {
  id: id(),
  username: text(),
  /** Lower case: names are unique regardless of case. */
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
};
const followColumns = { ...pairColumns, followerId: id(), followingId: id() };
const blockColumns = { ...pairColumns, blockerId: id(), blockedId: id() };

export type ProfileRow = RowOf<typeof profileColumns>;
export type FollowRow = RowOf<typeof followColumns>;
export type BlockRow = RowOf<typeof blockColumns>;

declare module "@/data/engine/noun" {
  interface CacheRows {
    profiles: ProfileRow;
    follows: FollowRow;
    blocks: BlockRow;
  }
}

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

function followRow(record: RawRecord): FollowRow | null {
  const followerId = textOf(record, "followerId");
  const followingId = textOf(record, "followingId");
  const row = { ...pairOf(record), followerId, followingId };
  return row.id === "" || followerId === "" || followingId === "" ? null : row;
}

function blockRow(record: RawRecord): BlockRow | null {
  const blockerId = textOf(record, "blockerId");
  const blockedId = textOf(record, "blockedId");
  const row = { ...pairOf(record), blockerId, blockedId };
  return row.id === "" || blockerId === "" || blockedId === "" ? null : row;
}

export const peopleCollections = {
  profiles: {
    schema: defineSchema<ProfileRow>(profileColumns, [["nameKey"]]),
    read: profileRow,
    files: ["profilePictureUrl", "profileThumbnailUrl"],
    holds: "shown",
    subject: ({ username, profileThumbnailUrl, profilePictureUrl }, address) => ({
      name: username,
      picture: address(profileThumbnailUrl || profilePictureUrl),
    }),
  } satisfies Collection<ProfileRow>,
  follows: {
    schema: defineSchema<FollowRow>(followColumns, [["followerId"], ["followingId"]]),
    read: followRow,
    holds: "own",
  } satisfies Collection<FollowRow>,
  blocks: {
    schema: defineSchema<BlockRow>(blockColumns),
    read: blockRow,
    holds: "own",
  } satisfies Collection<BlockRow>,
};
