/** The comments of a medium, thirty more at a time, and what a person does with them. */
import { useCallback } from "react";
import { PAGE_SIZE } from "@/domain/limits";
import { useClient, whenClient } from "./client-store";
import { isKept } from "./media";
import { usePager, useWhileLoading } from "./use-pager";
import { useLoaded } from "./use-watch";

export type Comments = ReturnType<typeof useComments>;

export function useComments(mediaId: string) {
  const client = useClient();
  const { shown, showMore } = usePager({ key: mediaId, step: PAGE_SIZE });
  const now = useLoaded((reads) => reads.watchComments(mediaId, shown), [mediaId, shown]);
  const page = useWhileLoading(mediaId, now);
  const retry = useCallback(() => void client?.sync(), [client]);
  return { page, showMore, retry };
}

/** Resolves with whether the comment is queued on this device; a toast tells of a failure. */
export async function addComment(mediaId: string, text: string): Promise<boolean> {
  const { writes } = await whenClient();
  return isKept(await writes.addComment(mediaId, text), "comments.failed");
}

/** Resolves with whether the deletion is queued. */
export async function deleteComment(mediaId: string, commentId: string): Promise<boolean> {
  const { writes } = await whenClient();
  return isKept(await writes.deleteComment(mediaId, commentId), "comments.deleteFailed");
}
