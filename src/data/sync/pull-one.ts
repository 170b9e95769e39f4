/** Brings one record that the replica lacks. */

import { isRecord } from "@/data/remote/answers";
import type { Remote } from "@/data/remote/create-remote";
import { toFailure } from "@/data/remote/failures";
import type { CacheName, Replica } from "@/data/replica/open-replica";
import type { ErrorCode } from "@/domain/error-codes";
import { writeRecords } from "./apply-changes";

export type PulledOne =
  | { state: "pulled" }
  | { state: "gone" }
  | { state: "failed"; code: ErrorCode };

export async function pullOne(
  remote: Remote,
  replica: Replica,
  collection: CacheName,
  id: string,
): Promise<PulledOne> {
  const answer = await remote.request(
    `/api/collections/${collection}/records/${encodeURIComponent(id)}`,
  );
  if (answer.kind === "refusal" && answer.status === 404) return { state: "gone" };
  if (answer.kind !== "accepted") return { state: "failed", code: toFailure(answer).error };
  if (!isRecord(answer.body) || answer.body["id"] !== id) {
    return { state: "failed", code: "network" };
  }
  await writeRecords(replica, collection, [answer.body]);
  return { state: "pulled" };
}
