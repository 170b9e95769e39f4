/** One medium, and what may be done to it. */
import { useEffect, useMemo } from "react";
import type { Found, MediaView } from "@/data/shapes";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

const LOADING: Found<MediaView> = { state: "loading" };

export function useMedia(id: string): Found<MediaView> {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchMedia(id) ?? null, [client, id]);
  return useLive(live, LOADING);
}

/** Counts a view once per opening, of visitors too, but never the owner's own (specification §6). */
export function useRecordView(media: MediaView | null, viewerId: string): void {
  const client = useClient();
  const id = media !== null && media.userId !== viewerId && media.pending === null ? media.id : "";
  // Outside: the server's count.
  useEffect(() => {
    if (client !== null && id !== "") void client.writes.recordView(id);
  }, [client, id]);
}
