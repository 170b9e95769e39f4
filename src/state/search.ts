/** The search: its text in the box and the address, and what it finds here and on the server. */
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { FeedFilter, SearchQuery, TagOrder } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { useClient, whenClient } from "./client-store";
import { placeBefore, type Rows, shownRows } from "./place";
import { useUser } from "./session";
import { usePager } from "./use-pager";
import { useLoaded } from "./use-watch";

const PARAM = "q";
/** After the last key press, milliseconds. Browsers limit how often the address may change. */
const PAUSE_MS = 250;

/** The search text: at once in the box, and soon after in the address (`/?q=`). */
export function useSearchText() {
  const [params, setParams] = useSearchParams();
  const inUrl = params.get(PARAM) ?? "";
  const [text, setText] = useState(inUrl);
  /** The address as this box wrote it: seeing it again must not undo what was typed since. */
  const written = useRef(inUrl);
  // Outside: the address, which links and Back change too.
  useEffect(() => {
    if (inUrl === written.current) return;
    written.current = inUrl;
    setText(inUrl);
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
  return { text, setText };
}

/** The last search and its number of rows, for Back and a reload. */
let reached: Rows = placeBefore?.found ?? { key: "", limit: PAGE_SIZE };

export type Search = ReturnType<typeof useSearch>;

/** Finds here at once, and on the server when typing pauses. With `tag`, all that has that tag. */
export function useSearch(text: string, filter: FeedFilter, tag?: TagOrder) {
  const client = useClient();
  const account = useUser()?.id;
  const key = `${filter} ${tag ?? ""} ${text.trim()}`;
  const { shown, showMore } = usePager({
    key,
    step: PAGE_SIZE,
    first: reached.key === key ? reached.limit : PAGE_SIZE,
  });
  const query = useMemo<SearchQuery>(
    () => ({ text, filter, limit: shown, ...(tag && { tag }) }),
    [text, filter, shown, tag],
  );
  // The key press goes first; its results are drawn in pieces.
  const page = useDeferredValue(useLoaded((reads) => reads.watchSearch(query), [query]));
  // Outside: this module's memory, for the way back from a detail page.
  useEffect(() => {
    reached = { key, limit: shown };
    shownRows.found = reached;
  }, [key, shown]);
  // Outside: the server. For somebody else it is another search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the client knows whose it is.
  useEffect(() => {
    if (client === null) return;
    const timer = setTimeout(() => void client.reads.pullSearch(query), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [client, query, account]);
  const retry = useCallback(() => void client?.reads.pullSearch(query), [client, query]);
  return { page, loadMore: showMore, retry };
}

/** Reads the data that the search looks through, before the first key press. */
export async function warmSearch(): Promise<void> {
  await (await whenClient()).reads.warmSearch();
}
