/** One person's media, newest first: from this device at once, and the rest from the server behind it. */
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Client } from "@/data/client";
import type { FeedFilter, FeedPage, Loaded, MediaView } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { useClient, useClientState } from "./client-store";
import { useLive } from "./use-live";
import { useConnection } from "./use-outbox";

export interface PersonMediaChoice {
  userId: string;
  filter: FeedFilter;
  /** Revealed at first and with each step (specification §9). */
  step: number;
  /** Never more than these; Infinity for no end. */
  most: number;
}

export interface PersonMedia {
  /** `failed` is told only where nothing is there to show. */
  media: Loaded<MediaView[]>;
  more: "none" | "idle" | "loading" | "failed";
  showMore: () => void;
  retry: () => void;
}

type Asked = { key: string } & (
  | { state: "asking" }
  | { state: "told"; more: boolean }
  | { state: "failed"; code: ErrorCode }
);

const LOADING: Loaded<FeedPage> = { state: "loading" };

export function usePersonMedia({ userId, filter, step, most }: PersonMediaChoice): PersonMedia {
  const key = `${userId} ${filter}`;
  const [wanted, setWanted] = useState({ key, limit: step });
  const limit = wanted.key === key ? wanted.limit : step;
  const client = useClient();
  const broken = useClientState().state === "failed";
  // One more than is shown tells whether there is more.
  const live = useMemo(
    () => client?.reads.watchFeed({ userId, filter, sort: "latest", limit: limit + 1 }) ?? null,
    [client, userId, filter, limit],
  );
  const page = useLive(live, LOADING);
  const { asked, ask } = useRest({ client, key, userId, filter, wanted: Math.max(limit, step) });
  const rows = page.state === "ready" ? page.value.items : [];
  const [kept, setKept] = useState<{ key: string; rows: MediaView[] }>({ key, rows: [] });
  if (rows.length > 0 && kept.rows !== rows) setKept({ key, rows });
  // While more are looked up, what stood there stays.
  const known =
    rows.length === 0 && page.state === "loading" && kept.key === key ? kept.rows : rows;
  const items = useMemo(() => known.slice(0, Math.min(limit, most)), [known, limit, most]);
  const showMore = useCallback(() => {
    setWanted({ key, limit: Math.min(most, limit + step) });
    if (asked.state === "failed") ask();
  }, [key, limit, step, most, asked.state, ask]);
  return {
    media: broken ? { state: "failed", code: "network" } : mediaOf(items, page, asked),
    more: moreOf({ here: known.length, limit, most }, asked),
    showMore,
    retry: ask,
  };
}

function mediaOf(items: MediaView[], page: Loaded<FeedPage>, asked: Asked): Loaded<MediaView[]> {
  if (items.length > 0) return { state: "ready", value: items };
  if (page.state === "failed") return page;
  // Nothing here is "none" only by the server's word (law 4).
  if (asked.state === "failed") return { state: "failed", code: asked.code };
  if (page.state === "loading" || asked.state === "asking") return { state: "loading" };
  return { state: "ready", value: items };
}

function moreOf(
  { here, limit, most }: { here: number; limit: number; most: number },
  asked: Asked,
): PersonMedia["more"] {
  if (limit >= most) return "none";
  if (here > limit) return "idle";
  if (asked.state === "asking") return here === 0 ? "none" : "loading";
  if (asked.state === "failed") return here === 0 ? "none" : "failed";
  return asked.more ? "idle" : "none";
}

interface Rest {
  client: Client | null;
  key: string;
  userId: string;
  filter: FeedFilter;
  wanted: number;
}

/** Asks the server for what this device lacks of the list, again when the connection is back. */
function useRest({ client, key, userId, filter, wanted }: Rest): { asked: Asked; ask: () => void } {
  const [asked, setAsked] = useState<Asked>({ key, state: "asking" });
  const [round, setRound] = useState(0);
  const offline = useConnection() === "offline";
  // Outside: the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks anew.
  useEffect(() => {
    if (client === null || userId === "") return;
    let current = true;
    const query = { userId, filter, sort: "latest" as const, limit: wanted };
    void client.reads.pullOlderMedia(query).then((answer) => {
      if (!current) return;
      if (answer.success) setAsked({ key, state: "told", more: answer.value.more });
      else setAsked({ key, state: "failed", code: answer.error });
    });
    return () => {
      current = false;
    };
  }, [client, key, userId, filter, wanted, round, offline]);
  const ask = useCallback(() => {
    setAsked({ key, state: "asking" });
    setRound((now) => now + 1);
  }, [key]);
  return { asked: asked.key === key ? asked : { key, state: "asking" }, ask };
}
