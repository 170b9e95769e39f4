/** What the panel loads when it opens (specification §2). Filters live as long as the panel. */
import { useCallback, useEffect, useState } from "react";
import type {
  AdminMedia,
  AdminReport,
  MediaFilter,
  ReportStatus,
  UserFilter,
  UserSort,
} from "@/data/admin/admin-client";
import { ADMIN_MEDIA_PAGE } from "@/domain/limits";
import { useClient } from "@/state/client-store";
import { type PagedQuery, usePagedQuery, useQuery } from "@/state/use-query";

export interface UserChoice {
  search: string;
  sort: UserSort;
  filter: UserFilter;
}

export interface Choice<T> {
  value: T;
  set: (next: T) => void;
}

function useChoice<T>(first: T): Choice<T> {
  const [value, set] = useState(first);
  return { value, set };
}

export function useAdminLists() {
  const userChoice = useChoice<UserChoice>({ search: "", sort: "newest", filter: "all" });
  const mediaChoice = useChoice<MediaFilter>("all");
  const reportChoice = useChoice<ReportStatus | "all">("all");
  const { search, sort, filter } = userChoice.value;
  const stats = useQuery("admin stats", (client) => client.admin.stats());
  const users = usePagedQuery(`admin users ${sort} ${filter} ${search}`, (client, page) =>
    client.admin.users({ sort, filter, ...page, ...(search === "" ? {} : { search }) }),
  );
  const chats = usePagedQuery("admin chats", (client, page) => client.admin.conversations(page));
  const media = usePagedQuery(`admin media ${mediaChoice.value}`, (client, page) =>
    client.admin.media({ ...page, limit: ADMIN_MEDIA_PAGE, filter: mediaChoice.value }),
  );
  const reports = usePagedQuery(`admin reports ${reportChoice.value}`, (client, page) =>
    client.admin.reports({ ...page, status: reportChoice.value }),
  );
  const mediaDeleted = useMediaDeleted(media.change, reports.change, stats.reload);
  return {
    stats,
    users,
    userChoice,
    chats,
    media,
    mediaChoice,
    reports,
    reportChoice,
    mediaDeleted,
  };
}

/** Called for this admin's deletions; those of others come through the feed. */
function useMediaDeleted(
  changeMedia: PagedQuery<AdminMedia>["change"],
  changeReports: PagedQuery<AdminReport>["change"],
  reloadStats: () => void,
): (id: string) => void {
  const client = useClient();
  const deleted = useCallback(
    (id: string) => {
      changeMedia((items) => items.filter((item) => item.id !== id));
      changeReports((items) =>
        items.map((item) =>
          item.mediaId === id ? { ...item, mediaExists: false, url: "", thumbnailUrl: "" } : item,
        ),
      );
      reloadStats();
    },
    [changeMedia, changeReports, reloadStats],
  );
  // Outside: the feed.
  useEffect(
    () =>
      client?.onEvent((event) => {
        if (event.type === "media-deleted") deleted(event.mediaId);
      }),
    [client, deleted],
  );
  return deleted;
}
