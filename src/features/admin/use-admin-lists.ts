/** What the panel loads when it opens (specification §2). Filters live as long as the panel. */
import { useState } from "react";
import type { MediaFilter, ReportStatus, UserFilter, UserSort } from "@/data/admin/admin-client";
import { ADMIN_MEDIA_PAGE } from "@/domain/limits";
import { useClientEvents } from "@/state/client-store";
import { usePagedQuery, useQuery } from "@/state/use-query";

const ALL_USERS = { search: "", sort: "newest" as UserSort, filter: "all" as UserFilter };

export type AdminLists = ReturnType<typeof useAdminLists>;

export function useAdminLists() {
  const [userChoice, setUserChoice] = useState(ALL_USERS);
  const [mediaChoice, setMediaChoice] = useState<MediaFilter>("all");
  const [reportChoice, setReportChoice] = useState<ReportStatus | "all">("all");
  const { search, sort, filter } = userChoice;
  const stats = useQuery("admin stats", (client) => client.admin.stats());
  const users = usePagedQuery(`admin users ${sort} ${filter} ${search}`, (client, page) =>
    client.admin.users({ sort, filter, ...page, ...(search === "" ? {} : { search }) }),
  );
  const chats = usePagedQuery("admin chats", (client, page) => client.admin.conversations(page));
  const media = usePagedQuery(`admin media ${mediaChoice}`, (client, page) =>
    client.admin.media({ ...page, limit: ADMIN_MEDIA_PAGE, filter: mediaChoice }),
  );
  const reports = usePagedQuery(`admin reports ${reportChoice}`, (client, page) =>
    client.admin.reports({ ...page, status: reportChoice }),
  );
  const onMediaDeleted = (id: string) => {
    const gone = { mediaExists: false, url: "", thumbnailUrl: "" };
    media.change((items) => items.filter((item) => item.id !== id));
    reports.change((items) =>
      items.map((item) => (item.mediaId === id ? { ...item, ...gone } : item)),
    );
    stats.reload();
  };
  useClientEvents((event) => event.type === "media-deleted" && onMediaDeleted(event.mediaId));
  return {
    stats,
    users,
    userChoice,
    setUserChoice,
    chats,
    media,
    mediaChoice,
    setMediaChoice,
    reports,
    reportChoice,
    setReportChoice,
    /** For this admin's deletions; those of others come through the feed. */
    onMediaDeleted,
  };
}
