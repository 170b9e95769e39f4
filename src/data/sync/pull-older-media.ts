/** Older media than the replica holds, a page at a time, when a list is scrolled that far. */

import type { FeedQuery } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import type { Remote } from "@/data/remote/create-remote";
import { PAGE_SIZE } from "@/domain/limits";
import { ok, type Result } from "@/domain/result";
import { writeRecords } from "./apply-changes";
import { listWindow, pullMediaList } from "./pull-lists";

/** Rows for one question: a little more than a screen's step, so that the next one is there at once. */
const PAGE = 4 * PAGE_SIZE;

export async function pullOlderMedia(
  remote: Remote,
  { replica, device }: Scope,
  query: FeedQuery,
): Promise<Result<{ more: boolean }>> {
  const { filter, userId } = query;
  const windows = await device.readWindows();
  const key = `${userId ?? ""} ${filter}`;
  // What was pulled of a wider list is known of a narrower one.
  const wider = windows.get(`${userId ?? ""} all`);
  const reached = windows.get(key) ?? wider;
  if (reached === "end") return ok({ more: false });
  const page = await pullMediaList(remote, {
    filter,
    limit: PAGE,
    ...(userId === undefined ? {} : { userId }),
    ...(reached === undefined ? {} : { before: reached }),
  });
  if (!page.success) return page;
  await writeRecords(replica, "media", page.value);
  const more = page.value.length === PAGE;
  await device.writeWindow(key, listWindow(more, page.value));
  return ok({ more });
}
