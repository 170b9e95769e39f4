/** Lists that may be kept on a device as a whole (media-cache/kept-lists.ts). */

/** What a person posts, what a search finds, or what all whom one follows post. */
export type ListKind = "person" | "search" | "following";

const MB = 1_048_576;

/** The sizes to choose from, in bytes. */
export const LIST_SIZES = [40 * MB, 80 * MB, 200 * MB, 400 * MB] as const;
