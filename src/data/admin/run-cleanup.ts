/** A cleanup from its first step to its last. The server keeps no place: each step says where the next one begins. */
import type { CleanupCount, CleanupOptions, CleanupTask } from "@/data/admin-upkeep-api";
import { isRecord } from "@/data/remote/answers";
import { countOf, textOf } from "@/data/schema/define-schema";
import { failed, ok, type Result } from "@/domain/result";
import type { Ask } from "./create-admin";

export interface Sweep {
  task: CleanupTask;
  /** GET counts, POST removes. */
  method: "GET" | "POST";
}

export async function sweep(
  ask: Ask,
  { task, method }: Sweep,
  { onProgress, signal }: CleanupOptions = {},
): Promise<Result<CleanupCount>> {
  const sum = { items: 0, bytes: 0 };
  let after = "";
  while (signal?.aborted !== true) {
    const step = await ask(`/api/admin/cleanup/${task}`, { method, query: { after } });
    if (!step.success) return step;
    if (!isRecord(step.value) || typeof step.value["items"] !== "number") return failed("network");
    sum.items += countOf(step.value, "items");
    sum.bytes += countOf(step.value, "bytes");
    onProgress?.({ ...sum, percent: countOf(step.value, "percent") });
    after = textOf(step.value, "next");
    if (after === "") break;
  }
  return ok(sum);
}
