/**
 * The gallery's rows. In order: what the replica says; while that is still loading, what it said for the same choice
 * before; at the very start, the snapshot of the last visit.
 */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Client } from "@/data/client";
import type { FeedPage, FeedQuery, Loaded, MediaView } from "@/data/shapes";
import { PAGE_SIZE, UPLOAD_RELOAD_MS } from "@/domain/limits";
import { useClient, useClientState } from "./client-store";
import { firstMedia, readFirstScreen } from "./first-screen";
import { placeBefore, shownRows } from "./kept-place";
import { useLive } from "./use-live";
import { useUser } from "./use-session";
import { useSteadyOrder } from "./use-steady-order";

export interface Feed {
  page: Loaded<FeedPage>;
  /** True while the rows are the snapshot's: nothing of them may be written back. */
  fromSnapshot: boolean;
  more: "idle" | "loading" | "failed" | "none";
  loadMore: () => void;
  retry: () => void;
}

/** What the gallery showed last, so that it stands there at once when one comes back to it, or asks for more. */
let lastSeen: { key: string; limit: number; page: Loaded<FeedPage> } | null = null;

const NONE: MediaView[] = [];
const LOADING: Loaded<FeedPage> = { state: "loading" };
const FAILED: Loaded<FeedPage> = { state: "failed", code: "network" };

/** As many as a page that was just loaded again had shown. */
function rowsBefore(list: string): number {
  const before = lastSeen === null ? placeBefore?.feed : null;
  return before?.key === list ? before.limit : PAGE_SIZE;
}

function snapshotPage(userId: string, query: FeedQuery): Loaded<FeedPage> {
  const away = placeBefore?.away === true;
  if (away || query.filter !== "all" || query.sort !== "latest") return LOADING;
  const screen = readFirstScreen(localStorage, userId);
  if (screen === null || screen.items.length === 0) return LOADING;
  return { state: "ready", value: { items: screen.items, hasMore: false } };
}

export function useFeed(choice: Pick<FeedQuery, "filter" | "sort">): Feed {
  const { filter, sort } = choice;
  const key = `${filter} ${sort}`;
  const userId = useUser()?.id ?? "";
  const list = `${userId} ${key}`;
  const seen = lastSeen?.key === list ? lastSeen : null;
  const [wanted, setWanted] = useState({ key, limit: seen?.limit ?? rowsBefore(list) });
  const limit = wanted.key === key ? wanted.limit : PAGE_SIZE;
  const client = useClient();
  const clientState = useClientState();
  const query = useMemo<FeedQuery>(
    // A few more of the popular ones: what falls behind must not vanish from the middle of the list.
    () => ({ filter, sort, limit: sort === "popular" ? limit + PAGE_SIZE : limit }),
    [filter, sort, limit],
  );
  const live = useMemo(() => client?.reads.watchFeed(query) ?? null, [client, query]);
  const arrived = useSyncExternalStore(firstMedia.subscribe, firstMedia.stand);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has arrived stands in the snapshot.
  const first = useMemo(() => snapshotPage(userId, query), [userId, query, arrived]);
  const now = useLive(live, LOADING);
  // Outside: this module's memory, for the way back from a detail page.
  useEffect(() => {
    if (now.state !== "ready") return;
    lastSeen = { key: list, limit, page: now };
    shownRows.feed = { key: list, limit };
  }, [now, list, limit]);
  const before = seen?.page ?? null;
  const fromSnapshot = before === null && now.state === "loading" && first.state === "ready";
  const older = useOlder(query);
  const stands = usePopularFromServer(client, choice);
  useReloadAfterUpload();

  const loadMore = useCallback(() => {
    setWanted({ key, limit: limit + PAGE_SIZE });
    void older.ask(limit + PAGE_SIZE);
  }, [key, limit, older.ask]);
  const retry = useCallback(() => void client?.sync(), [client]);

  const shown = now.state === "loading" ? (before ?? first) : now;
  const whole = clientState.state === "failed" && shown.state === "loading" ? FAILED : shown;
  const page = useSteadyPage(whole, { key: sort === "popular" ? key : "", stands, limit });
  return { page, fromSnapshot, more: older.stateFor(page), loadMore, retry };
}

/** Shows the popular ones in an order that stays; everything else as it comes. */
function useSteadyPage(
  page: Loaded<FeedPage>,
  { limit, ...steadiness }: { key: string; stands: boolean; limit: number },
): Loaded<FeedPage> {
  const items = useSteadyOrder(page.state === "ready" ? page.value.items : NONE, steadiness);
  return useMemo(() => {
    if (steadiness.key === "" || page.state !== "ready") return page;
    const value = { items: items.slice(0, limit), hasMore: items.length > limit };
    return { state: "ready", value };
  }, [page, items, limit, steadiness.key]);
}

/** Popular media lie anywhere in the history: the server is asked when they are shown. True when that is over. */
function usePopularFromServer(
  client: Client | null,
  { filter, sort }: Pick<FeedQuery, "filter" | "sort">,
): boolean {
  const [asked, setAsked] = useState("");
  const key = sort === "popular" ? filter : "";
  // Outside: the server.
  useEffect(() => {
    if (client === null || key === "" || asked === key) return;
    const query = { filter, sort, limit: PAGE_SIZE };
    void client.reads.pullOlderMedia(query).then(() => setAsked(key));
  }, [client, key, asked, filter, sort]);
  return key !== "" && asked === key;
}

interface Older {
  ask: (limit: number) => Promise<void>;
  stateFor: (page: Loaded<FeedPage>) => Feed["more"];
}

/** Asks the server for what lies behind the rows on this device. */
function useOlder(query: FeedQuery): Older {
  const client = useClient();
  const [state, setState] = useState<{ key: string; state: Feed["more"] } | null>(null);
  const key = `${query.filter} ${query.sort}`;
  const ask = useCallback(
    async (limit: number) => {
      if (client === null) return;
      setState({ key, state: "loading" });
      const answer = await client.reads.pullOlderMedia({ ...query, limit });
      const next = answer.success ? (answer.value.more ? "idle" : "none") : "failed";
      setState({ key, state: next });
    },
    [client, key, query],
  );
  const own = state?.key === key ? state.state : "idle";
  const stateFor = (page: Loaded<FeedPage>): Feed["more"] => {
    if (own === "loading" || own === "failed") return own;
    return page.state === "ready" && page.value.hasMore ? "idle" : "none";
  };
  return { ask, stateFor };
}

/** Specification §4: a second after `mediaUpdated` the data are asked for again; the page itself never reloads. */
function useReloadAfterUpload(): void {
  const client = useClient();
  // Outside: the client's events.
  useEffect(() => {
    if (client === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = client.onEvent((event) => {
      if (event.type !== "mediaUpdated") return;
      clearTimeout(timer);
      timer = setTimeout(() => void client.sync(), UPLOAD_RELOAD_MS);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [client]);
}
