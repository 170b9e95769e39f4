/** The replica's rows of people: public profiles, and the user's own follows, blocks and mutes. */
import type { Collection } from "@/data/engine/noun";
import {
  count,
  defineSchema,
  filePath,
  flag,
  id,
  instantOf,
  pairColumns,
  pairReader,
  type RawRecord,
  type RowOf,
  rowReader,
  rowWith,
  text,
  textOf,
} from "@/data/engine/rows";
import { TAG_SIGN } from "@/domain/ids";
import { TAG_MAX } from "@/domain/limits";

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
const followColumns = {
  ...pairColumns,
  followerId: id(),
  /** A person's, or `#` and a tag without case and accents, in which a sign may take two. */
  followingId: text(2 * TAG_MAX + 1),
  /** A tag as its follower wrote it. */
  written: text(TAG_MAX),
};
/** Of whom one blocks; or of what one mutes, and then nobody is blocked. */
const blockColumns = {
  ...pairColumns,
  blockerId: id(),
  blockedId: id(),
  mutedId: id(),
  /** As it was written. */
  word: text(),
};

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

const readProfile = rowReader<ProfileRow>(profileColumns);
const readFollow = pairReader<FollowRow>(followColumns);
const readBlock = pairReader<BlockRow>(blockColumns);

function profileRow(record: RawRecord): ProfileRow | null {
  const userId = textOf(record, "id", "uid");
  const row = readProfile(record, {
    id: userId,
    nameKey: textOf(record, "username").toLowerCase(),
    // Through the view the server would scan its table for the file (platform facts).
    profilePictureUrl: filePath("users", userId, textOf(record, "profilePicture")),
    profileThumbnailUrl: filePath("users", userId, textOf(record, "profileThumbnail")),
    createdAt: instantOf(record, "createdAt"),
  });
  return rowWith(row, "id", "username");
}

function followRow(record: RawRecord): FollowRow | null {
  const tag = textOf(record, "tag");
  const row = readFollow(tag === "" ? record : { ...record, followingId: TAG_SIGN + tag });
  return rowWith(row, "id", "followerId", "followingId");
}

function blockRow(record: RawRecord): BlockRow | null {
  const row = rowWith(readBlock(record), "id", "blockerId");
  return row !== null && row.blockedId + row.mutedId + row.word !== "" ? row : null;
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
