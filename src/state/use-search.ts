/** What a search finds: this device's at once, the server's when typing has paused. */
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { FeedFilter, Loaded, SearchPage, SearchQuery } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { useClient, useClientState, whenClient } from "./client-store";
import { placeBefore, type Rows, shownRows } from "./kept-place";
import { useLive } from "./use-live";

const LOADING: Loaded<SearchPage> = { state: "loading" };
const FAILED: Loaded<SearchPage> = { state: "failed", code: "network" };
/** After the last key, milliseconds: a word is typed in one go. */
const PAUSE_MS = 250;

/** How far one had come with a text, so that Back and a reload find the place again. */
let reached: Rows = placeBefore?.found ?? { key: "", limit: PAGE_SIZE };

export interface Search {
  page: Loaded<SearchPage>;
  loadMore: () => void;
  retry: () => void;
}

export function useSearch(text: string, filter: FeedFilter): Search {
  const client = useClient();
  const clientState = useClientState();
  const key = `${filter} ${text.trim()}`;
  const [wanted, setWanted] = useState(reached);
  const limit = wanted.key === key ? wanted.limit : reached.key === key ? reached.limit : PAGE_SIZE;
  const query = useMemo<SearchQuery>(() => ({ text, filter, limit }), [text, filter, limit]);
  const live = useMemo(() => client?.reads.watchSearch(query) ?? null, [client, query]);
  // A key goes first; what it found is drawn in pieces.
  const now = useDeferredValue(useLive(live, LOADING));
  // Outside: this module's memory, for the way back from a detail page.
  useEffect(() => {
    reached = { key, limit };
    shownRows.found = reached;
  }, [key, limit]);
  // Outside: the server.
  useEffect(() => {
    if (client === null) return;
    const timer = setTimeout(() => void client.reads.pullSearch(query), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [client, query]);
  const loadMore = useCallback(() => setWanted({ key, limit: limit + PAGE_SIZE }), [key, limit]);
  const retry = useCallback(() => void client?.reads.pullSearch(query), [client, query]);
  const page = clientState.state === "failed" && now.state === "loading" ? FAILED : now;
  return { page, loadMore, retry };
}

/** Reads what the search looks through, before the first key. */
export async function warmSearch(): Promise<void> {
  await (await whenClient()).reads.warmSearch();
}
