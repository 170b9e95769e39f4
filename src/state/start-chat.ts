/** Starting a chat by somebody's name (specification §5 and §8). Without a network it works with whom this device has met. */
import type { SessionUser } from "@/data/shapes";
import { serverText } from "@/i18n/error-text";
import type { Text } from "@/i18n/keys";
import { whenClient } from "./client-store";
import { showToast } from "./toasts";

export type StartOutcome =
  | { kind: "started"; conversationId: string }
  | { kind: "refused"; fault: Text };

export async function startChat(user: SessionUser, name: string): Promise<StartOutcome> {
  const wanted = name.trim();
  if (wanted === "") return refused({ key: "chat.nameRequired" });
  if (wanted.toLowerCase() === user.username.toLowerCase()) return refused({ key: "chat.self" });
  const { service } = await whenClient();
  const found = await service.getUserIdByUsername(wanted);
  if (!found.success) {
    const offline = found.error === "network" || found.error === "timeout";
    const other = found.error === null ? null : ({ key: `errors.${found.error}` } as const);
    return refused(offline || other === null ? { key: "chat.offlineUnknown" } : other);
  }
  if (found.value === null) return refused({ key: "chat.userNotFound" });
  return startChatWith(found.value);
}

/** The same with somebody whose id is known, such as from their profile. Says what was refused in a toast. */
export async function startChatWith(userId: string): Promise<StartOutcome> {
  const { service } = await whenClient();
  const started = await service.createOrGetConversation(userId);
  if (started.success && started.value !== null) return { kind: "started", ...started.value };
  if (started.error === "self") return refused({ key: "chat.self" });
  return refused(serverText(started.message, "errors.mutual_follow"));
}

function refused(fault: Text): StartOutcome {
  showToast({ title: { key: "chat.errorTitle" }, description: fault, variant: "destructive" });
  return { kind: "refused", fault };
}
