/** Toasts for what the server refuses later, where no other place on the screen says so. */
import { useEffect, useRef } from "react";
import { refusalToast } from "@/i18n/intent-texts";
import { showToast } from "./toasts";
import { useOutbox } from "./use-outbox";

export function useRefusalToasts(): void {
  const { ready, items } = useOutbox();
  const told = useRef<ReadonlySet<string> | null>(null);
  // Outside: the notification area. Refusals of an earlier visit are in the outbox already.
  useEffect(() => {
    if (!ready) return;
    const refused = items.filter((item) => item.state === "refused");
    const fresh = refused.filter((item) => told.current !== null && !told.current.has(item.id));
    told.current = new Set(refused.map((item) => item.id));
    for (const item of fresh) {
      const toast = refusalToast(item);
      if (toast !== null) showToast({ ...toast, variant: "destructive" });
    }
  }, [ready, items]);
}
