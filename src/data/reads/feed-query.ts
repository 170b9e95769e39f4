/** The replica's question for a list of media. */
import type { MangoQuery } from "rxdb";
import type { FeedQuery } from "@/data/client-api";
import type { MediaRow } from "@/data/schema/media";

export interface FeedBounds {
  /** People and media that the list leaves out. */
  people?: string[];
  media?: string[];
  /** The largest sort key to show, or null (see replica/list-windows). */
  deepest?: number | null;
}

/** Ascending indexes only: a descending sort reads the whole table in this storage (platform facts). */
export function feedQuery(query: FeedQuery, bounds: FeedBounds): MangoQuery<MediaRow> {
  const { userId, filter, sort, limit } = query;
  const { people = [], media = [], deepest = null } = bounds;
  const type = filter === "photos" ? "photo" : "video";
  const selector = {
    ...(userId === undefined ? {} : { userId }),
    ...(filter === "all" ? {} : { type }),
    ...(people.length === 0 ? {} : { userId: { $nin: people } }),
    ...(media.length === 0 ? {} : { id: { $nin: media } }),
    ...(deepest === null || sort === "popular" ? {} : { sortKey: { $lte: deepest } }),
  } as NonNullable<MangoQuery<MediaRow>["selector"]>;
  if (sort === "popular") {
    return {
      selector,
      sort: [{ popularKey: "asc" }, { sortKey: "asc" }, { id: "asc" }],
      index: ["popularKey", "sortKey", "id"],
      limit,
    };
  }
  const index = ["sortKey", "id"];
  if (userId !== undefined) index.unshift("userId");
  else if (filter !== "all") index.unshift("type");
  return { selector, sort: [{ sortKey: "asc" }, { id: "asc" }], index, limit };
}
