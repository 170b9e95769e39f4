/** What the panel loads when it opens (specification §2). Filters live as long as the panel. */
import { useState } from "react";
import type { MediaFilter, ReportStatus, UserFilter, UserSort } from "@/data/admin/admin-client";
import { ADMIN_MEDIA_PAGE } from "@/domain/limits";
import type { ReportKind } from "@/domain/reports";
import { useClientEvents } from "@/state/client-store";
import { usePagedQuery, useQuery } from "@/state/use-query";

const ALL_USERS = { search: "", sort: "newest" as UserSort, filter: "all" as UserFilter };

export type AdminLists = ReturnType<typeof useAdminLists>;

export function useAdminLists() {
  const [userChoice, setUserChoice] = useState(ALL_USERS);
  const [mediaChoice, setMediaChoice] = useState<MediaFilter>("all");
  const [reportChoice, setReportChoice] = useState<ReportStatus | "all">("all");
  const [reportKind, setReportKind] = useState<ReportKind | "all">("all");
  const { search, sort, filter } = userChoice;
  const stats = useQuery("admin stats", (client) => client.admin.stats());
  const users = usePagedQuery(`admin users ${sort} ${filter} ${search}`, (client, page) =>
    client.admin.users({ sort, filter, ...page, ...(search === "" ? {} : { search }) }),
  );
  const chats = usePagedQuery("admin chats", (client, page) => client.admin.conversations(page));
  const media = usePagedQuery(`admin media ${mediaChoice}`, (client, page) =>
    client.admin.media({ ...page, limit: ADMIN_MEDIA_PAGE, filter: mediaChoice }),
  );
  const reports = usePagedQuery(`admin reports ${reportChoice} ${reportKind}`, (client, page) =>
    client.admin.reports({ ...page, status: reportChoice, kind: reportKind }),
  );
  /** What was reported is deleted, and the server has closed its reports with it. */
  const onReportedDeleted = (id: string) => {
    const gone = { exists: false, url: "", thumbnailUrl: "" };
    const closed = (status: ReportStatus) => (status === "open" ? "resolved" : status);
    reports.change((items) =>
      items.map((item) =>
        item.targetId === id ? { ...item, ...gone, status: closed(item.status) } : item,
      ),
    );
    stats.reload();
  };
  const onMediaDeleted = (id: string) => {
    media.change((items) => items.filter((item) => item.id !== id));
    onReportedDeleted(id);
  };
  /** Shown in the list of users at once; a list of such users alone is asked for again. */
  const onChatAccess = (id: string, chatDisabled: boolean) => {
    users.change((items) =>
      items.map((item) => (item.id === id ? { ...item, chatDisabled } : item)),
    );
    if (filter === "chat-disabled") users.reload();
  };
  useClientEvents((event) => event.type === "media-deleted" && onMediaDeleted(event.mediaId));
  return {
    stats,
    users,
    userChoice,
    setUserChoice,
    chats,
    /** Counted by the server, also what was deleted beyond the rows that are loaded here. */
    media: {
      ...media,
      total: stats.now.state === "ready" ? stats.now.value.totals.media : media.total,
    },
    mediaChoice,
    setMediaChoice,
    reports,
    reportChoice,
    setReportChoice,
    reportKind,
    setReportKind,
    onReportedDeleted,
    /** For this admin's deletions; those of others come through the feed. */
    onMediaDeleted,
    onChatAccess,
  };
}
