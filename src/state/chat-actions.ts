/** What a person does in a conversation. Each is queued on this device; what fails here at once is told in a toast. */
import type { PreparedMedia } from "@/data/client-api";
import type { ErrorCode } from "@/domain/error-codes";
import type { TextKey } from "@/i18n/keys";
import { whenClient } from "./client-store";
import { showToast } from "./toasts";

interface Outcome {
  success: boolean;
  error: ErrorCode | null;
  message: string;
}

/** A full device and a text that is too long speak for themselves; otherwise the specification's sentence. */
function tell({ error, message }: Outcome, fallback: TextKey): void {
  const own = error === "storage_full" || error === "text_long";
  const title = message !== "" ? { raw: message } : { key: own ? `errors.${error}` : fallback };
  showToast({ title: title as { key: TextKey }, variant: "destructive" });
}

export async function sendText(conversationId: string, text: string): Promise<boolean> {
  const sent = await (await whenClient()).service.sendTextMessage(conversationId, text);
  if (!sent.success) tell(sent, "chat.sendFailed");
  return sent.success;
}

export async function sendPhoto(
  conversationId: string,
  photo: PreparedMedia,
  text: string,
): Promise<boolean> {
  const { service } = await whenClient();
  const sent = await service.sendPhotoMessage(conversationId, photo, text);
  if (!sent.success) tell(sent, "chat.photoFailed");
  return sent.success;
}

export async function deleteMessage(conversationId: string, messageId: string): Promise<void> {
  const deleted = await (await whenClient()).service.deleteMessage(conversationId, messageId);
  if (!deleted.success) tell(deleted, "chat.deleteFailed");
}
