/** What may be done about a medium besides liking and deleting it. Each answers whether it is on its way. */
import type { MediaChanges } from "@/data/client";
import type { ErrorCode } from "@/domain/error-codes";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { whenClient } from "./client-store";
import { showToast } from "./toasts";

type Answer = { success: true } | { success: false; error: ErrorCode };

/** Nothing was kept of it: the person must learn so at once. */
function told(answer: Answer, title: TextKey): boolean {
  if (answer.success) return true;
  showToast({
    title: { key: title },
    description: { key: errorKey(answer.error) },
    variant: "destructive",
  });
  return false;
}

/** The service's answers carry their error beside the flag. */
const asAnswer = ({ success, error }: { success: boolean; error: ErrorCode | null }): Answer =>
  success ? { success: true } : { success: false, error: error ?? "server" };

export async function addComment(mediaId: string, text: string): Promise<boolean> {
  const { service } = await whenClient();
  return told(asAnswer(await service.addComment(mediaId, text)), "comments.failed");
}

export async function deleteComment(mediaId: string, commentId: string): Promise<boolean> {
  const { service } = await whenClient();
  return told(asAnswer(await service.deleteComment(mediaId, commentId)), "comments.deleteFailed");
}

export async function changeMedia(mediaId: string, changes: MediaChanges): Promise<boolean> {
  const { writes } = await whenClient();
  return told(await writes.updateMedia(mediaId, changes), "detail.editFailed");
}

/** Told as on its way, or as waiting where the server is not there. A later refusal: see use-refusal-toasts. */
export async function reportMedia(mediaId: string, reason: string): Promise<boolean> {
  const { service, connection } = await whenClient();
  const offline = connection.getSnapshot() === "offline";
  if (!told(asAnswer(await service.reportMedia(mediaId, reason)), "report.failed")) return false;
  showToast({ title: { key: offline ? "report.queued" : "report.sent" } });
  return true;
}

export const retryIntent = async (intentId: string): Promise<void> =>
  (await whenClient()).outbox.retry(intentId);

export const discardIntent = async (intentId: string): Promise<void> =>
  (await whenClient()).outbox.discard(intentId);
