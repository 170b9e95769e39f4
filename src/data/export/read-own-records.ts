/** Every row of one's own that the server has, list by list. */
import { isRecord } from "@/data/remote/answers";
import type { Remote } from "@/data/remote/create-remote";
import { toFailure } from "@/data/remote/failures";
import { type RawRecord, textOf } from "@/data/schema/define-schema";
import { pullRecords } from "@/data/sync/pull-lists";
import { failed, ok, type Result } from "@/domain/result";

const PAGE = 500;
const NAMES_AT_ONCE = 40;

const LISTS = [
  "media",
  "comments",
  "likes",
  "follows",
  "blocks",
  "conversations",
  "messages",
] as const;
type List = (typeof LISTS)[number];

export type OwnRecords = Record<List, RawRecord[]> & {
  user: RawRecord;
  /** Usernames of everybody that the lists name, as far as they are still there. */
  names: Map<string, string>;
};

export async function readOwnRecords(
  remote: Remote,
  userId: string,
  signal: AbortSignal,
): Promise<Result<OwnRecords>> {
  const answer = await remote.request(`/api/collections/users/records/${userId}`);
  if (answer.kind !== "accepted") return toFailure(answer);
  if (!isRecord(answer.body)) return failed("network");
  const lists: Partial<Record<List, RawRecord[]>> = {};
  for (const name of LISTS) {
    const rows = await readAll(remote, name, conditionOf(remote, name, userId), signal);
    if (!rows.success) return rows;
    lists[name] = rows.value;
  }
  const own = lists as Record<List, RawRecord[]>;
  const names = await readNames(remote, othersOf(own, userId), signal);
  return names.success ? ok({ ...own, user: answer.body, names: names.value }) : names;
}

/** Lists that everybody reads are cut to one's own; of the others the server gives no more. */
const conditionOf = (remote: Remote, name: List, userId: string): string =>
  name === "media" || name === "comments" ? remote.filter("userId = {:userId}", { userId }) : "";

async function readAll(
  remote: Remote,
  name: string,
  condition: string,
  signal: AbortSignal,
): Promise<Result<RawRecord[]>> {
  const all: RawRecord[] = [];
  for (let after = ""; ; ) {
    if (signal.aborted) return failed("canceled");
    const behind = after === "" ? "" : remote.filter("id > {:after}", { after });
    const filter = [condition, behind].filter((part) => part !== "").join(" && ");
    const page = await pullRecords(remote, name, { sort: "id", perPage: PAGE, filter });
    if (!page.success) return page;
    all.push(...page.value);
    if (page.value.length < PAGE) return ok(all);
    after = textOf(page.value.at(-1) ?? {}, "id");
  }
}

function othersOf(own: Record<List, RawRecord[]>, userId: string): string[] {
  const ids = new Set<string>();
  for (const row of own.follows) {
    ids.add(textOf(row, "followerId"));
    ids.add(textOf(row, "followingId"));
  }
  for (const row of own.blocks) ids.add(textOf(row, "blockedId"));
  for (const row of own.conversations) for (const id of textOf(row, "id").split("_")) ids.add(id);
  ids.delete(userId);
  ids.delete("");
  return [...ids];
}

async function readNames(
  remote: Remote,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result<Map<string, string>>> {
  const names = new Map<string, string>();
  for (let i = 0; i < ids.length; i += NAMES_AT_ONCE) {
    const some = ids.slice(i, i + NAMES_AT_ONCE);
    const filter = some.map((id) => remote.filter("id = {:id}", { id })).join(" || ");
    const page = await readAll(remote, "profiles", `(${filter})`, signal);
    if (!page.success) return page;
    for (const row of page.value) names.set(textOf(row, "id"), textOf(row, "username"));
  }
  return ok(names);
}
