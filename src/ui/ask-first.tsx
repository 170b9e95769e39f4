/** Asks before something final, in a dialog whose code is loaded when it first opens. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AlertDialogProps } from "./alert-dialog";
import { lazily } from "./lazily";

const AlertDialog = lazily(() => import("./alert-dialog"), "AlertDialog");

type Question = Omit<AlertDialogProps, "cancel" | "onClose">;

/** `ask` opens `dialog`, which stays in the page only as long as it is open. */
export function useAsk() {
  const { t } = useTranslation();
  const [question, ask] = useState<Question | null>(null);
  const dialog = question && (
    <AlertDialog {...question} cancel={t("app.cancel")} onClose={() => ask(null)} />
  );
  return { ask, dialog };
}
