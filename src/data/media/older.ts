/** Older media than the replica holds, a page at a time, when a list is scrolled that far. */

import { writeRecords } from "@/data/engine/apply";
import { listWindow, pullMediaList, pullPopularMedia } from "@/data/engine/lists";
import type { Remote } from "@/data/engine/remote";
import type { Scope } from "@/data/engine/scope";
import type { Replica } from "@/data/engine/store";
import type { FeedQuery } from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import { ok, type Result } from "@/domain/result";
import { deepestKey, setWindow, windowOf } from "./held";
import { feedQuery } from "./views";

/** Rows for one question: a little more than a screen's step, so that the next one is there at once. */
const PAGE = 4 * PAGE_SIZE;

/** Asks the server only when this device has fewer rows than `query.limit` (resolution 24). */
export async function pullOlderMedia(
  remote: Remote,
  { replica, device, status$ }: Scope,
  query: FeedQuery,
): Promise<Result<{ more: boolean }>> {
  if (query.sort === "popular") return pullPopular(remote, replica, query);
  const { filter, userId } = query;
  const list = userId === undefined ? { filter } : { filter, userId };
  const windows = device.windows$.value;
  const reached = windowOf(windows, list);
  if (reached === "end") return ok({ more: false });
  const local = feedQuery(
    { ...query, sort: "latest", limit: query.limit + 1 },
    {
      deepest: deepestKey(windows, list),
    },
  );
  const here = reached === undefined ? [] : await replica.media.find(local).exec();
  if (here.length > query.limit && status$.value.filled) return ok({ more: true });
  const page = await pullMediaList(remote, {
    ...list,
    limit: PAGE,
    ...(reached === undefined ? {} : { before: reached }),
  });
  if (!page.success) return page;
  await writeRecords(replica, "media", page.value);
  const more = page.value.length === PAGE;
  await setWindow(device, list, listWindow(more, page.value));
  return ok({ more });
}

/** What is popular lies anywhere in the history: the server is asked for the page that the list has come to. */
async function pullPopular(
  remote: Remote,
  replica: Replica,
  { filter, limit }: FeedQuery,
): Promise<Result<{ more: boolean }>> {
  const page = Math.max(1, Math.ceil(limit / PAGE));
  const pulled = await pullPopularMedia(remote, { filter, page, limit: PAGE });
  if (!pulled.success) return pulled;
  await writeRecords(replica, "media", pulled.value);
  return ok({ more: pulled.value.length === PAGE });
}
