/** What a person does in a conversation. Each is queued on this device; what fails here at once is told in a toast. */

import type { ClientService } from "@/data/service-api";
import type { PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { errorKey, serverText } from "@/i18n/error-text";
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
  const title = serverText(message, own ? errorKey(error) : fallback);
  showToast({ title, variant: "destructive" });
}

const NOT_KEPT: Outcome = { success: false, error: null, message: "" };

/** Whether it is queued. A device that cannot write is told of like any other failure. */
async function attempt(
  act: (service: ClientService) => Promise<Outcome>,
  fallback: TextKey,
): Promise<boolean> {
  const outcome = await act((await whenClient()).service).catch(() => NOT_KEPT);
  if (!outcome.success) tell(outcome, fallback);
  return outcome.success;
}

export const sendText = (conversationId: string, text: string): Promise<boolean> =>
  attempt((service) => service.sendTextMessage(conversationId, text), "chat.sendFailed");

export const sendPhoto = (
  conversationId: string,
  photo: PreparedMedia,
  text: string,
): Promise<boolean> =>
  attempt((service) => service.sendPhotoMessage(conversationId, photo, text), "chat.photoFailed");

export const deleteMessage = (conversationId: string, messageId: string): Promise<boolean> =>
  attempt((service) => service.deleteMessage(conversationId, messageId), "chat.deleteFailed");
