/** What one is told of, the mark that it was read, and what one wants to hear of at all. */
import { useEffect, useRef, useState } from "react";
import type { Loaded, NotificationsPage } from "@/data/shapes";
import type { NotificationKind } from "@/domain/notifications";
import { createSerialQueue } from "@/lib/serial-queue";
import { useIsVisible } from "./chat";
import { useClient, whenClient } from "./client-store";
import { showFailure } from "./toasts";
import { usePager, useWhileLoading } from "./use-pager";
import { useQuery } from "./use-query";
import { useLoaded } from "./use-watch";

const PAGE = 30;

/** What was new when the page was opened, or has come since, stays so until one leaves. */
export function useNotifications() {
  const { shown, showMore } = usePager({ key: "notifications", step: PAGE });
  const now = useLoaded((reads) => reads.watchNotifications(shown), [shown]);
  const page = useWhileLoading("notifications", now);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const { unread, newestUnread } = page.state === "ready" ? page.value : NONE;
  // Outside: what the mark below is about to make read.
  useEffect(() => {
    if (unread.length > 0) setSeen((before) => new Set([...before, ...unread]));
  }, [unread]);
  useMarkRead(newestUnread);
  return { page: withNew(page, seen), showMore };
}

const NONE = { unread: [], newestUnread: 0 };

function withNew(
  page: Loaded<NotificationsPage>,
  seen: ReadonlySet<string>,
): Loaded<NotificationsPage> {
  if (page.state !== "ready") return page;
  const items = page.value.items.map((one) => ({
    ...one,
    isUnread: one.isUnread || one.ids.some((id) => seen.has(id)),
  }));
  return { state: "ready", value: { ...page.value, items } };
}

/** Once for each newest event, whatever becomes of the mark. */
function useMarkRead(newest: number): void {
  const client = useClient();
  const isVisible = useIsVisible();
  const asked = useRef(0);
  // Outside: the server's marks.
  useEffect(() => {
    if (client === null || !isVisible || newest <= asked.current) return;
    asked.current = newest;
    void client.writes.markNotificationsRead(newest);
  }, [client, isVisible, newest]);
}

export const SWITCHED_KINDS = ["like", "comment", "reply", "mention", "follow", "report"] as const;

/** Asked of the server when the page opens. */
export function useNotificationsOff() {
  const { now, change, reload } = useQuery("notifications off", ({ writes }) =>
    writes.notificationsOff(),
  );
  const [inTurn] = useState(createSerialQueue);
  const set = (kind: NotificationKind, on: boolean) => {
    const edit = (off: readonly string[]) =>
      on ? off.filter((one) => one !== kind) : [...off, kind];
    change(edit);
    void inTurn(async () => {
      const { writes } = await whenClient();
      const before = await writes.notificationsOff();
      const saved = before.success ? await writes.setNotificationsOff(edit(before.value)) : before;
      if (saved.success) return;
      showFailure("news.saveFailed");
      reload();
    });
  };
  return { off: now, set };
}
