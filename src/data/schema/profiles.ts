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
} from "./define-schema";

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
