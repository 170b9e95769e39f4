/** Stands where media and actions would be: blocked by oneself, or suspended by an operator (resolution of both readings). */
import { Ban } from "lucide-react";
import type { ProfileView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { UnblockButton } from "./unblock-button";

export function BlockedNotice({ person, byMe }: { person: ProfileView; byMe: boolean }) {
  const { t } = useText();
  return (
    <div
      role="status"
      className="mt-4 mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-[18px] bg-surface p-4"
      data-testid="blocked-notice"
    >
      <Ban className="size-6 shrink-0 text-muted" aria-hidden="true" />
      <p className="min-w-0 flex-[1_1_14rem]">
        <strong className="block">{t("people.blockedNotice")}</strong>
        <span className="text-sm text-muted">
          {t(byMe ? "people.blockedText" : "people.suspendedText")}
        </span>
      </p>
      {byMe && <UnblockButton id={person.id} name={person.username} />}
    </div>
  );
}
