/** Stands in the composer's place while one has blocked the other: nothing is written only to be refused. */
import { Ban } from "lucide-react";
import type { ConversationView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { setBlocked } from "@/state/people";
import { Button } from "@/ui/button";

export function BlockedBar({ conversation }: { conversation: ConversationView }) {
  const { t } = useText();
  const { other, otherId } = conversation;
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  return (
    <div
      role="status"
      data-testid="blocked-bar"
      className="mb-[calc(8px+env(safe-area-inset-bottom))] flex shrink-0 flex-wrap items-center gap-x-4 gap-y-3 rounded-[18px] bg-surface p-4"
    >
      <Ban className="size-6 shrink-0 text-muted" aria-hidden="true" />
      <p className="min-w-0 flex-[1_1_12rem]">
        <strong className="block">{t("people.blockedNotice")}</strong>
        <span className="text-sm text-muted">{t("chat.blockedText")}</span>
      </p>
      <Button
        aria-label={t("people.unblockPerson", { name })}
        data-testid="unblock"
        onClick={() => void setBlocked(otherId, false)}
      >
        {t("people.unblock")}
      </Button>
    </div>
  );
}
