/** Profiles by their ids, as many as a request may name. */
import type { Remote } from "@/data/remote/create-remote";
import type { Replica } from "@/data/replica/open-replica";
import { textOf } from "@/data/schema/define-schema";
import { ok, type Result } from "@/domain/result";
import { writeRecords } from "./apply-changes";
import { pullRecords } from "./pull-lists";

/** Ids in one filter: the address of a request must stay short. */
const AT_ONCE = 40;

/** Which of `ids` the server does not know. */
export async function pullPeople(
  remote: Remote,
  replica: Replica,
  ids: readonly string[],
): Promise<Result<{ gone: string[] }>> {
  const gone: string[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const filter = some.map((id) => remote.filter("id = {:id}", { id })).join(" || ");
    const page = await pullRecords(remote, "profiles", { filter, perPage: AT_ONCE });
    if (!page.success) return page;
    await writeRecords(replica, "profiles", page.value);
    const here = new Set(page.value.map((record) => textOf(record, "id")));
    gone.push(...some.filter((id) => !here.has(id)));
  }
  return ok({ gone });
}
