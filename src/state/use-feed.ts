/**
 * The gallery's rows. In order: what the replica says; while that is still loading, what it said for the same choice
 * before; at the very start, the snapshot of the last visit.
 */
import { useCallback, useEffect, useMemo, useState } from "react";
import type { FeedPage, FeedQuery, Loaded } from "@/data/client-api";
import { PAGE_SIZE, UPLOAD_RELOAD_MS } from "@/domain/limits";
import { useClient, useClientState } from "./client-store";
import { readFirstScreen } from "./first-screen";
import { useLive } from "./use-live";
import { useUser } from "./use-session";

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

const LOADING: Loaded<FeedPage> = { state: "loading" };
const FAILED: Loaded<FeedPage> = { state: "failed", code: "network" };

function snapshotPage(userId: string, query: FeedQuery): Loaded<FeedPage> {
  if (query.filter !== "all" || query.sort !== "latest") return LOADING;
  const screen = readFirstScreen(localStorage, userId);
  if (screen === null || screen.items.length === 0) return LOADING;
  return { state: "ready", value: { items: screen.items, hasMore: false } };
}

export function useFeed(choice: Pick<FeedQuery, "filter" | "sort">): Feed {
  const { filter, sort } = choice;
  const key = `${filter} ${sort}`;
  const userId = useUser()?.id ?? "";
  const seen = lastSeen?.key === `${userId} ${key}` ? lastSeen : null;
  const [wanted, setWanted] = useState({ key, limit: seen?.limit ?? PAGE_SIZE });
  const limit = wanted.key === key ? wanted.limit : PAGE_SIZE;
  const client = useClient();
  const clientState = useClientState();
  const query = useMemo<FeedQuery>(() => ({ filter, sort, limit }), [filter, sort, limit]);
  const live = useMemo(() => client?.reads.watchFeed(query) ?? null, [client, query]);
  const first = useMemo(() => snapshotPage(userId, query), [userId, query]);
  const now = useLive(live, LOADING);
  // Outside: this module's memory, for the way back from a detail page.
  useEffect(() => {
    if (now.state === "ready") lastSeen = { key: `${userId} ${key}`, limit, page: now };
  }, [now, userId, key, limit]);
  const before = seen?.page ?? null;
  const fromSnapshot = before === null && now.state === "loading" && first.state === "ready";
  const older = useOlder(query);
  useReloadAfterUpload();

  const loadMore = useCallback(() => {
    setWanted({ key, limit: limit + PAGE_SIZE });
    older.ask(limit + PAGE_SIZE);
  }, [key, limit, older.ask]);
  const retry = useCallback(() => void client?.sync(), [client]);

  const shown = now.state === "loading" ? (before ?? first) : now;
  const page = clientState.state === "failed" && shown.state === "loading" ? FAILED : shown;
  return { page, fromSnapshot, more: older.stateFor(page), loadMore, retry };
}

interface Older {
  ask: (limit: number) => void;
  stateFor: (page: Loaded<FeedPage>) => Feed["more"];
}

/** Asks the server for what lies behind the rows on this device. */
function useOlder(query: FeedQuery): Older {
  const client = useClient();
  const [state, setState] = useState<{ key: string; state: Feed["more"] } | null>(null);
  const key = `${query.filter} ${query.sort}`;
  const ask = useCallback(
    (limit: number) => {
      if (client === null) return;
      setState({ key, state: "loading" });
      void client.reads.pullOlderMedia({ ...query, limit }).then((answer) => {
        const next = answer.success ? (answer.value.more ? "idle" : "none") : "failed";
        setState({ key, state: next });
      });
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
