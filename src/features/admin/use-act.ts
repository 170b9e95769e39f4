/** One administrative act: asked of the server at once, told by a toast, and never queued. */
import { useState } from "react";
import type { AdminClient } from "@/data/admin/admin-client";
import type { ErrorCode } from "@/domain/error-codes";
import type { Result } from "@/domain/result";
import type { TextKey } from "@/i18n/keys";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";

interface Act {
  /** What it is done to: its buttons wait meanwhile. */
  target: string;
  run: (admin: AdminClient) => Promise<Result<unknown>>;
  done: TextKey;
  failed: TextKey;
  /** The sentence instead of `failed` for one reason. */
  failedBy?: Partial<Record<ErrorCode, TextKey>>;
  /** Titles of the toasts; English unless given (specification §8). */
  titles?: { done: TextKey; failed: TextKey };
}

const ENGLISH = { done: "admin.success", failed: "admin.error" } as const;

export function useAct() {
  const [busy, setBusy] = useState<string | null>(null);
  /** Whether it was done. */
  const act = async (wanted: Act): Promise<boolean> => {
    const titles = wanted.titles ?? ENGLISH;
    setBusy(wanted.target);
    const answer = await wanted.run((await whenClient()).admin);
    setBusy(null);
    if (answer.success) {
      showToast({ title: { key: titles.done }, description: { key: wanted.done } });
      return true;
    }
    noteAdminRefusal(answer.error);
    showToast({
      title: { key: titles.failed },
      description: { key: wanted.failedBy?.[answer.error] ?? wanted.failed },
      variant: "destructive",
    });
    return false;
  };
  return { busy, act };
}
