/** Rows pulled beside the feed: one by id, many by ids, or a whole collection page by page. */
import type { ErrorCode } from "@/domain/error-codes";
import { failed, ok, type Result } from "@/domain/result";
import { isRecord, toFailure } from "./answers";
import { writeRecords } from "./apply";
import type { Replica, RowId } from "./noun";
import { filterOf, type Remote } from "./remote";
import { type RawRecord, textOf } from "./rows";

const WHOLE_PAGE = 500;
/** PocketBase takes 3,500 signs and 200 comparisons in a filter. */
const IDS_AT_ONCE = 100;

export type OnPage = (records: RawRecord[]) => Promise<void>;

export function parseList(body: unknown): RawRecord[] | null {
  return isRecord(body) && Array.isArray(body["items"]) ? body["items"].filter(isRecord) : null;
}

export async function pullRecords(
  remote: Remote,
  collection: string,
  query: { sort?: string; perPage?: number; page?: number; filter?: string; fields?: string },
): Promise<Result<RawRecord[]>> {
  const { filter, ...rest } = query;
  const answer = await remote.request(`/api/collections/${collection}/records`, {
    query: { ...rest, filter: filter === "" ? undefined : filter, skipTotal: 1 },
  });
  if (answer.kind !== "accepted") return toFailure(answer);
  const records = parseList(answer.body);
  return records === null ? failed("network") : ok(records);
}

/** Every row of `collection` that `condition` and the caller's rights let through, by id. */
export async function pullAll(
  remote: Remote,
  collection: string,
  onPage: OnPage,
  { condition = "", signal }: { condition?: string; signal?: AbortSignal } = {},
): Promise<Result<null>> {
  for (let after = ""; ; ) {
    if (signal?.aborted) return failed("canceled");
    const position = after === "" ? "" : filterOf("id > {:after}", { after });
    const filter = [condition, position].filter((part) => part !== "").join(" && ");
    const page = await pullRecords(remote, collection, { sort: "id", perPage: WHOLE_PAGE, filter });
    if (!page.success) return page;
    await onPage(page.value);
    if (page.value.length < WHOLE_PAGE) return ok(null);
    after = textOf(page.value.at(-1) ?? {}, "id");
  }
}

/**
 * Those of the rows that the server has and shows, whole or with these `fields` (`id` among them);
 * answers which it does not.
 */
export async function pullIds(
  remote: Remote,
  collection: string,
  asked: readonly string[] | { ids: readonly string[]; fields: string },
  onPage: OnPage,
): Promise<Result<{ missing: string[] }>> {
  const { ids, ...query } = "ids" in asked ? asked : { ids: asked };
  const missing: string[] = [];
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    const filter = some.map((id) => filterOf("id = {:id}", { id })).join(" || ");
    const page = await pullRecords(remote, collection, {
      perPage: IDS_AT_ONCE,
      filter,
      ...query,
    });
    if (!page.success) return page;
    await onPage(page.value);
    const here = new Set(page.value.map((record) => textOf(record, "id")));
    missing.push(...some.filter((id) => !here.has(id)));
  }
  return ok({ missing });
}

/** The server's answer about one row: it was pulled, it does not exist, or there was no answer. */
export type PulledOne =
  | { state: "pulled" }
  | { state: "gone" }
  | { state: "failed"; code: ErrorCode };

export async function pullOne(
  remote: Remote,
  replica: Replica,
  { name, id }: RowId,
): Promise<PulledOne> {
  const answer = await remote.request(`/api/collections/${name}/records/${encodeURIComponent(id)}`);
  if (answer.kind === "refusal" && answer.status === 404) return { state: "gone" };
  if (answer.kind !== "accepted") return { state: "failed", code: toFailure(answer).error };
  if (!isRecord(answer.body) || answer.body["id"] !== id) {
    return { state: "failed", code: "network" };
  }
  await writeRecords(replica, name, [answer.body]);
  return { state: "pulled" };
}
