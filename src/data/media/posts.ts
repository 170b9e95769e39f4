/**
 * Posts: up to ten media of one person under one caption. Each is a row of its own; a list shows
 * them as one entry, made of those of them that belong to the list. Pure:
 * the first paint groups too.
 */
import type { MediaView } from "@/data/shapes";

interface Part {
  id: string;
  userId: string;
  post: string;
}

/** What an entry of a list stands for: a post, or a medium by itself. */
const entryOf = ({ id, userId, post }: Part): string => (post === "" ? id : `${post} ${userId}`);

/** How many entries `media` make. */
export const countEntries = (media: readonly Part[]): number => new Set(media.map(entryOf)).size;

/** Each post where the first of its media stands; what it shows comes in the post's own order. */
export function groupPosts(media: readonly MediaView[]): MediaView[] {
  const entries = new Map<string, MediaView[]>();
  for (const medium of media) {
    const key = entryOf(medium);
    const members = entries.get(key);
    if (members === undefined) entries.set(key, [medium]);
    else members.push(medium);
  }
  return [...entries.values()].flatMap((members) => {
    if (members.length === 1) return members;
    const [first] = members.sort(byPlace);
    return first === undefined ? [] : { ...first, members };
  });
}

export const byPlace = (a: MediaView, b: MediaView): number =>
  a.postIndex - b.postIndex || (a.id < b.id ? -1 : 1);

/** All media of a list, those of its posts one after another. */
export const mediaIn = <Medium extends { members?: readonly Medium[] }>(
  list: readonly Medium[],
): Medium[] => list.flatMap((entry) => entry.members ?? [entry]);
