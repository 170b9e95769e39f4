/** The comments of a medium, thirty more at a time. */
import { useCallback, useMemo, useState } from "react";
import type { CommentsPage, Loaded } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { useClient, useClientState } from "./client-store";
import { useLive } from "./use-live";

type Page = Loaded<CommentsPage>;
const LOADING: Page = { state: "loading" };
const FAILED: Page = { state: "failed", code: "network" };

export interface Comments {
  page: Page;
  showMore: () => void;
  retry: () => void;
}

export function useComments(mediaId: string): Comments {
  const client = useClient();
  const isBroken = useClientState().state === "failed";
  const [limit, setLimit] = useState(PAGE_SIZE);
  const live = useMemo(
    () => client?.reads.watchComments(mediaId, limit) ?? null,
    [client, mediaId, limit],
  );
  const now = useLive(live, LOADING);
  const [last, setLast] = useState<Page>(LOADING);
  if (now.state === "ready" && now !== last) setLast(now);
  // While more are looked up, what stood there stays.
  const page = now.state === "loading" ? last : now;
  const showMore = useCallback(() => setLimit((count) => count + PAGE_SIZE), []);
  const retry = useCallback(() => void client?.sync(), [client]);
  return { page: isBroken ? FAILED : page, showMore, retry };
}
