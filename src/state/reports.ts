/** What somebody wants to report, until it is asked why (app/late-parts), and the report. */
import type { RefObject } from "react";
import type { Reported, ReportReason } from "@/data/reports";
import { createCell } from "@/lib/cell";
import { whenClient } from "./client-store";
import { telling } from "./media";
import { queueWrite } from "./outbox";
import { showToast } from "./toasts";

export interface ReportWish extends Reported {
  /** Who said or is it; "" where the question does not name anybody. */
  name: string;
  /** What has the focus after the question, where that is not what had it before. */
  returnFocus?: RefObject<HTMLElement | null>;
}

export const reportWish = createCell<ReportWish | null>(null);

/** A toast tells whether the report is sent, or waits for the server. */
export async function sendReport(what: Reported, why: ReportReason): Promise<boolean> {
  const isOffline = (await whenClient()).connection.getSnapshot() === "offline";
  const isKept = await queueWrite((writes) => writes.report(what, why), telling("report.failed"));
  if (isKept) showToast({ title: { key: isOffline ? "report.queued" : "report.sent" } });
  return isKept;
}
