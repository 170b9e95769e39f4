/**
 * The gallery's rows. In order: the rows of the replica; while they are loading, the rows last seen
 * with the same choice; at the very start, the first screen stored on the last visit.
 */
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import type { Client } from "@/data/client";
import type { FeedPage, FeedQuery, Loaded, MediaView } from "@/data/shapes";
import { PAGE_SIZE, UPLOAD_RELOAD_MS } from "@/domain/limits";
import { whenIdle } from "@/lib/idle";
import type { ImagePreloader } from "@/lib/image-preloader";
import { keepOrder } from "@/lib/keep-order";
import { onLeave } from "@/lib/on-leave";
import { useClient } from "./client-store";
import { firstMedia, readFirstScreen, wipeFirstScreen, writeFirstScreen } from "./first-screen";
import { useConnection } from "./outbox";
import { placeBefore, returnKey, shownRows } from "./place";
import { useUser } from "./session";
import { moreOf, usePager } from "./use-pager";
import { LOADING, NO_CLIENT, useLoaded } from "./use-watch";

type Choice = Pick<FeedQuery, "filter" | "sort">;

export type Feed = ReturnType<typeof useFeed>;

/** The rows that the gallery showed last, for the way back to it. */
let lastSeen: { key: string; limit: number; page: Loaded<FeedPage> } | null = null;

/** What was seen may be hidden from now on: the gallery begins with the replica's rows. */
export function forgetFeed(): void {
  lastSeen = null;
  wipeFirstScreen();
}

/** As many rows as the page showed before it was loaded again. */
function rowsBefore(list: string): number {
  const before = lastSeen === null ? placeBefore?.feed : null;
  return before?.key === list ? before.limit : PAGE_SIZE;
}

function storedPage(userId: string, { filter, sort }: Choice): Loaded<FeedPage> {
  const isAway = placeBefore?.away === true;
  if (isAway || filter !== "all" || sort !== "latest") return LOADING;
  const screen = readFirstScreen(userId);
  if (screen === null || screen.items.length === 0) return LOADING;
  return { state: "ready", value: { items: screen.items, hasMore: false, older: false } };
}

export function useFeed(choice: Choice) {
  const { filter, sort } = choice;
  const key = `${filter} ${sort}`;
  const userId = useUser()?.id ?? "";
  const list = `${userId} ${key}`;
  const seen = lastSeen?.key === list ? lastSeen : null;
  const client = useClient();
  const pager = usePager({
    key,
    step: PAGE_SIZE,
    first: seen?.limit ?? rowsBefore(list),
    pull: ({ reads }, limit) => reads.pullOlderMedia({ filter, sort, limit }),
  });
  const { shown, pulled, showMore, pullAgain } = pager;
  // A reserve of popular ones: one that falls behind must not vanish from the middle of the list.
  const limit = sort === "popular" ? shown + PAGE_SIZE : shown;
  const now = useLoaded((reads) => reads.watchFeed({ filter, sort, limit }), [filter, sort, limit]);
  useFillShortPage(now, list, pager);
  const hasFirstMedia = useSyncExternalStore(firstMedia.subscribe, firstMedia.stand);
  // biome-ignore lint/correctness/useExhaustiveDependencies: first media that arrive are in the stored screen.
  const first = useMemo(() => storedPage(userId, { filter, sort }), [userId, key, hasFirstMedia]);
  // Outside: this module's memory, for the way back from a detail page.
  useEffect(() => {
    if (now.state !== "ready") return;
    lastSeen = { key: list, limit: shown, page: now };
    shownRows.feed = { key: list, limit: shown };
  }, [now, list, shown]);
  const before = seen?.page ?? null;
  const isSettled = usePopularFromServer(client, choice);
  useReloadAfterUpload();
  const retry = useCallback(() => void client?.sync(), [client]);

  const earlier = before ?? first;
  const isEarlier = now.state === "loading" || (now === NO_CLIENT && earlier.state !== "loading");
  // The rows are those of the stored first screen and must not be stored again.
  const fromSnapshot = isEarlier && before === null && first.state === "ready";
  const steadyKey = sort === "popular" ? key : "";
  const page = useSteadyPage(isEarlier ? earlier : now, { key: steadyKey, isSettled }, shown);
  const hasMore =
    page.state === "ready" && (page.value.hasMore || page.value.older || pulled.hasMore === true);
  const more = moreOf(pulled, hasMore);
  return { page, fromSnapshot, more, loadMore: showMore, retry, pullAgain };
}

/** Requests for one page: who blocks or filters out more than that presses the button. */
const MOST_FILLS = 5;

/** Asks for older media where a filter or blocks leave fewer rows than the page has room for. */
function useFillShortPage(
  page: Loaded<FeedPage>,
  list: string,
  { shown, pulled, pullAgain }: ReturnType<typeof usePager>,
): void {
  const isOffline = useConnection() === "offline";
  const wish = `${list} ${shown} ${isOffline}`;
  const asked = useRef({ wish: "", times: 0 });
  const isShort = page.state === "ready" && page.value.older && page.value.items.length < shown;
  // Outside: the server. Before the paint, or a list that is empty so far would be called empty.
  useLayoutEffect(() => {
    const times = asked.current.wish === wish ? asked.current.times : 0;
    if (pulled.state === "loading") {
      // The press on the button has asked already.
      if (times === 0) asked.current = { wish, times: 1 };
      return;
    }
    const isRefused = pulled.state === "failed" && times > 0;
    if (!isShort || isRefused || times === MOST_FILLS) return;
    asked.current = { wish, times: times + 1 };
    pullAgain();
  }, [isShort, wish, pulled, pullAgain]);
}

/** Asks the server for popular media of any age. True when it has answered. */
function usePopularFromServer(client: Client | null, { filter, sort }: Choice): boolean {
  const [pulledKey, setPulledKey] = useState("");
  const key = sort === "popular" ? filter : "";
  // Outside: the server.
  useEffect(() => {
    if (client === null || key === "" || pulledKey === key) return;
    const query = { filter, sort, limit: PAGE_SIZE };
    void client.reads.pullOlderMedia(query).then(() => setPulledKey(key));
  }, [client, key, pulledKey, filter, sort]);
  return key !== "" && pulledKey === key;
}

/** Requests the data a second after `mediaUpdated`, without a page reload (specification §4). */
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

/** `key` is "" for a list that keeps its order; once `isSettled`, the server has answered. */
type Steadiness = { key: string; isSettled: boolean };

/** The order of the popular list, kept for the way back from a detail page. */
const NO_ORDER = { key: "", ids: [] as readonly string[], isFixed: false };
let steadyOrder = NO_ORDER;

/**
 * Popular media do not move while one likes them (specification §4, Like): once the order is fixed,
 * a changed number moves nothing and new media come last. Choosing Popular again, or opening the
 * gallery again, makes a new order.
 */
function useSteadyPage(
  page: Loaded<FeedPage>,
  { key, isSettled }: Steadiness,
  shown: number,
): Loaded<FeedPage> {
  const isReturn = returnKey(useLocation(), useNavigationType()) !== null;
  // Going back finds the previous order.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only how the gallery was opened counts.
  useMemo(() => {
    if (!isReturn) steadyOrder = NO_ORDER;
  }, []);
  return useMemo(() => {
    if (steadyOrder.key !== key) steadyOrder = { ...NO_ORDER, key };
    if (key === "" || page.state !== "ready") return page;
    const byId = new Map(page.value.items.map((item) => [item.id, item]));
    const present = [...byId.keys()];
    const ids = steadyOrder.isFixed ? keepOrder(steadyOrder.ids, present) : present;
    steadyOrder = { key, ids, isFixed: steadyOrder.isFixed || isSettled };
    const items = ids.slice(0, shown).flatMap((id) => byId.get(id) ?? []);
    return { state: "ready", value: { ...page.value, items, hasMore: ids.length > shown } };
  }, [page, key, isSettled, shown]);
}

/** `items` is null when there is nothing to store, for example in a filtered view. */
type ShownScreen = { userId: string; productName: string; items: MediaView[] | null };

/** Stores the first screen for the next visit: when idle after a change, and on leaving. */
export function useKeepFirstScreen(shown: ShownScreen): void {
  const latest = useRef(shown);
  latest.current = shown;
  const { userId, productName, items } = shown;
  // Outside: the device's storage.
  useEffect(() => {
    if (items === null) return;
    return whenIdle(() => writeFirstScreen({ userId, productName, items }));
  }, [userId, productName, items]);
  // Outside: the page, which may be closed at any time.
  useEffect(
    () =>
      onLeave(() => {
        const now = latest.current;
        if (now.items !== null) writeFirstScreen({ ...now, items: now.items });
      }),
    [],
  );
}

/** Loaded when first needed: it must not delay the pictures that it is to speed up. */
let preloader: Promise<ImagePreloader> | null = null;

function loadPreloader(): Promise<ImagePreloader> {
  preloader ??= import("@/lib/image-preloader").then(({ createImagePreloader }) =>
    createImagePreloader({
      load: async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        return image;
      },
      delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
  );
  return preloader;
}

/** Keeps the pictures at the head of a list decoded in memory (specification §9, "Image cache"). */
export function usePreloadImages(items: readonly MediaView[]): void {
  const urls = items
    .slice(0, 10)
    .map((item) => item.previewUrl || item.thumbnailUrl)
    .join(" ");
  // Outside: the browser's pictures.
  useEffect(() => {
    // Ignoring a failure: the pictures then load when they are shown.
    void loadPreloader()
      .then((ready) => ready.preload(urls.split(" ")))
      .catch(() => undefined);
  }, [urls]);
}
