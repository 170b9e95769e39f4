/** A deletion or a report that the server refuses later, when its page is long gone, is still told (specification §8). */
import { useEffect, useRef } from "react";
import { errorKey } from "@/i18n/error-text";
import { showToast } from "./toasts";
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
    if (fresh.some((item) => item.kind === "media.delete")) {
      showToast({ title: { key: "media.deleteFailed" }, variant: "destructive" });
    }
    const report = fresh.find((item) => item.kind === "report.create");
    if (report !== undefined) {
      const reason =
        report.message === ""
          ? { key: errorKey(report.code ?? "server") }
          : { raw: report.message };
      showToast({ title: { key: "report.refused" }, description: reason, variant: "destructive" });
    }
  }, [ready, items]);
}
