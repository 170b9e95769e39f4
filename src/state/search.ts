/**
 * The search: its text, in the box and in the address, and what it finds on this device and on the
 * server.
 */
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { FeedFilter, Loaded, SearchPage, SearchQuery } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { useClient, whenClient } from "./client-store";
import { placeBefore, type Rows, shownRows } from "./place";
import { usePager } from "./use-pager";
import { LOADING, NO_CLIENT, useWatch } from "./use-watch";

const PARAM = "q";
/** After the last key press, milliseconds. Browsers limit how often the address may change. */
const PAUSE_MS = 250;

export interface SearchText {
  text: string;
  setText: (text: string) => void;
}

/**
 * The search text: at once in the box, and soon after in the address (`/?q=`), for Back, reload and
 * links.
 */
export function useSearchText(): SearchText {
  const [params, setParams] = useSearchParams();
  const inUrl = params.get(PARAM) ?? "";
  const [text, setTyped] = useState(inUrl);
  /** The address as this box wrote it: seeing it again must not undo what was typed since. */
  const written = useRef(inUrl);
  // Outside: the address, which links and Back change too.
  useEffect(() => {
    if (inUrl === written.current) return;
    written.current = inUrl;
    setTyped(inUrl);
  }, [inUrl]);
  useEffect(() => {
    if (text.trim() === written.current.trim()) return;
    const write = () => {
      const next = text.trim() === "" ? "" : text;
      // The first letter adds a history entry, which Back removes; later ones do not.
      const replace = written.current !== "" || next === "";
      written.current = next;
      setParams(next === "" ? {} : { [PARAM]: next }, { replace });
    };
    const timer = setTimeout(write, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, setParams]);
  const setText = useCallback((next: string) => setTyped(next), []);
  return { text, setText };
}

/**
 * The text searched for last and how many rows were shown, so that Back and a reload find the place
 * again.
 */
let reached: Rows = placeBefore?.found ?? { key: "", limit: PAGE_SIZE };

export interface Search {
  page: Loaded<SearchPage>;
  loadMore: () => void;
  retry: () => void;
}

/** Finds on this device at once, and on the server when typing pauses. */
export function useSearch(text: string, filter: FeedFilter): Search {
  const client = useClient();
  const key = `${filter} ${text.trim()}`;
  const { shown, showMore } = usePager({
    key,
    step: PAGE_SIZE,
    first: reached.key === key ? reached.limit : PAGE_SIZE,
  });
  const query = useMemo<SearchQuery>(() => ({ text, filter, limit: shown }), [text, filter, shown]);
  // The key press goes first; its results are drawn in pieces.
  const page = useDeferredValue(
    useWatch<Loaded<SearchPage>>(
      ({ reads }) => reads.watchSearch(query),
      [query],
      LOADING,
      NO_CLIENT,
    ),
  );
  // Outside: this module's memory, for the way back from a detail page.
  useEffect(() => {
    reached = { key, limit: shown };
    shownRows.found = reached;
  }, [key, shown]);
  // Outside: the server.
  useEffect(() => {
    if (client === null) return;
    const timer = setTimeout(() => void client.reads.pullSearch(query), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [client, query]);
  const retry = useCallback(() => void client?.reads.pullSearch(query), [client, query]);
  return { page, loadMore: showMore, retry };
}

/** Reads the data that the search looks through, before the first key press. */
export async function warmSearch(): Promise<void> {
  await (await whenClient()).reads.warmSearch();
}
