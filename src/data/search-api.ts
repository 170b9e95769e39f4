/** What the client tells about a search. Types only. */
import type { Result } from "@/domain/result";
import type { FeedFilter, Live, Loaded, MediaView, ProfileView } from "./client-api";

export interface SearchQuery {
  /** As it was typed; see domain/search-terms. */
  text: string;
  filter: FeedFilter;
  /** How many media at most. */
  limit: number;
}

export interface SearchPage {
  /** Newest first; what is found later stands behind what was there, so that nothing moves. */
  items: MediaView[];
  /** Of all media that are known to match. */
  count: number;
  /** Whether there are more than `items`, here or on the server. */
  hasMore: boolean;
  /** Whose names match: those that begin with it first. */
  people: ProfileView[];
  /** `device`: only this device was looked through, because the server cannot be asked. */
  reach: "asking" | "everywhere" | "device";
}

export interface SearchReads {
  /** What this device knows at once, and what `pullSearch` brings. */
  watchSearch(query: SearchQuery): Live<Loaded<SearchPage>>;
  /** Asks the server for the next page of what it finds, where `limit` needs one. */
  pullSearch(query: SearchQuery): Promise<Result<null>>;
  /** Reads what the search looks through, ahead of the first key. */
  warmSearch(): Promise<void>;
}
