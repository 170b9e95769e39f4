/** Lists that may be kept on a device as a whole (media-cache/kept-lists.ts). */

/** What a person posts, a search finds, all whom one follows post, or one has saved. */
export type ListKind = "person" | "search" | "following" | "saved";

const MB = 1_048_576;

/** The sizes to choose from, in bytes. */
export const LIST_SIZES = [40 * MB, 80 * MB, 200 * MB, 400 * MB] as const;
