/** What the server refuses later, when its page is long gone, and no other place on the screen tells (specification §8). */
import { useEffect, useRef } from "react";
import type { IntentView } from "@/data/shapes";
import { errorKey } from "@/i18n/error-text";
import { startFault } from "./start-chat";
import { showToast, type ToastContent } from "./toasts";
import { useOutbox } from "./use-outbox";

export function useRefusalToasts(): void {
  const { ready, items } = useOutbox();
  const told = useRef<ReadonlySet<string> | null>(null);
  // Outside: the notification area. What was refused on an earlier visit is in the outbox, and not said again.
  useEffect(() => {
    if (!ready) return;
    const refused = items.filter((item) => item.state === "refused");
    const fresh = refused.filter((item) => told.current !== null && !told.current.has(item.id));
    told.current = new Set(refused.map((item) => item.id));
    for (const item of fresh) {
      const toast = toastOf(item);
      if (toast !== null) showToast({ ...toast, variant: "destructive" });
    }
  }, [ready, items]);
}

function toastOf({ kind, message, code }: IntentView): ToastContent | null {
  switch (kind) {
    case "media.delete":
      return { title: { key: "media.deleteFailed" } };
    case "comment.delete":
      return { title: { key: "comments.deleteFailed" } };
    case "message.delete":
      return { title: message === "" ? { key: "chat.deleteFailed" } : { raw: message } };
    case "conversation.create":
      return { title: { key: "chat.errorTitle" }, description: startFault(message) };
    case "report.create": {
      const reason = message === "" ? { key: errorKey(code ?? "server") } : { raw: message };
      return { title: { key: "report.refused" }, description: reason };
    }
    default:
      return null;
  }
}
