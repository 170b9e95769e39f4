/** Without a server nobody can sign in: said beside the form, not as an error of theirs. */
import { CloudOff } from "lucide-react";
import type { TextKey } from "@/i18n/keys";
import { useText } from "@/i18n/use-text";

export function OfflineNotice({ text }: { text: TextKey }) {
  const { t } = useText();
  return (
    <div
      role="status"
      data-testid="form-offline"
      className="flex items-start gap-3 rounded-2xl border border-line bg-surface p-4 text-sm"
    >
      <CloudOff className="mt-0.5 size-5 shrink-0 text-muted" aria-hidden="true" />
      <p>
        <strong className="block">{t("auth.offlineTitle")}</strong>
        <span className="text-muted">{t(text)}</span>
      </p>
    </div>
  );
}
