/**
 * Ids of rows and names of files. Devices create the ids, so sending twice creates once (law 2).
 * Likes, follows, blocks, reports and conversations join two ids with an underscore.
 */
export const ID_LENGTH = 15;
export const ID_PATTERN = /^[a-z0-9]{15}$/;
export const PAIR_ID_PATTERN = /^[a-z0-9]{15}_[a-z0-9]{15}$/;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A new id from `random`, a source of numbers in [0, 1). */
export function newId(random: () => number): string {
  let id = "";
  for (let i = 0; i < ID_LENGTH; i++) id += ALPHABET[Math.floor(random() * ALPHABET.length)];
  return id;
}

export const isId = (value: unknown): value is string =>
  typeof value === "string" && ID_PATTERN.test(value);

/** `mediaId_userId`, `followerId_followingId`, `blockerId_blockedId`. */
export const pairId = (first: string, second: string): string => `${first}_${second}`;

/** What may be followed: a person, by id, or `#` and a tag without case and accents. */
export const TAG_SIGN = "#";

/** Odd factors, one for each part of a key. */
const KEY_FACTORS = [0x01000193, 0x85ebca6b, 0xc2b2ae35];
const PART_LENGTH = ID_LENGTH / KEY_FACTORS.length;

/** A text in the length and letters of an id, the same on every device: FNV-1a by each factor. */
function keyOf(text: string): string {
  return KEY_FACTORS.map((factor) => {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), factor);
    hash ^= hash >>> 15;
    return ((hash >>> 0) % 36 ** PART_LENGTH).toString(36).padStart(PART_LENGTH, "0");
  }).join("");
}

/** Of the follow of a person or a tag. */
export const followId = (followerId: string, followed: string): string =>
  pairId(followerId, followed.startsWith(TAG_SIGN) ? keyOf(followed.slice(1)) : followed);

/** What may be muted: a person, by id, or `"` and a word without case and accents. */
export const WORD_SIGN = '"';

/** Unlike the id of a block of the same person, who may be both muted and blocked. */
export const muteId = (userId: string, muted: string): string => pairId(userId, keyOf(muted));

/** Both user ids sorted and joined (specification §3, Conversation). */
export const conversationId = (a: string, b: string): string =>
  a < b ? pairId(a, b) : pairId(b, a);

/** File names in the record's folder (specification §7). `time` in ms, `extension` without dot. */
export function storedNames(userId: string, time: number, extension: string) {
  const stem = `${userId}_${time}`;
  return {
    file: `${stem}.${extension}`,
    thumbnail: `thumb_${stem}.jpg`,
    // Without an extension, because a preview may have another type.
    preview: `preview_${stem}`,
  };
}
