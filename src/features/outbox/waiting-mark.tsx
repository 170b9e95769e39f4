/** In the top bar: offline, and how many actions wait or were refused. */
import { CloudOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useConnection, useOutbox } from "@/state/outbox";

export function WaitingMark() {
  const { t } = useTranslation();
  const { waiting, refused } = useOutbox();
  const offline = useConnection() === "offline";
  if (!offline && waiting === 0 && refused === 0) return null;
  const words = [
    offline ? t("outbox.offline") : "",
    waiting > 0 ? t("outbox.waiting", { count: waiting }) : "",
    refused > 0 ? t("outbox.refused", { count: refused }) : "",
  ].filter(Boolean);
  const queued = waiting + refused;
  return (
    <Link
      to={paths.outbox}
      className="target flex shrink-0 items-center justify-center rounded-full text-[0.8125rem] text-muted hover:text-foreground"
      data-testid="waiting-mark"
      data-waiting={waiting}
      data-refused={refused}
      data-offline={offline}
    >
      <span className="sr-only">{t("outbox.open")}</span>
      <span className="flex min-h-[30px] min-w-[30px] items-center justify-center gap-1.5 rounded-full border border-line-strong bg-surface px-2 whitespace-nowrap tabular-nums max-[374px]:border-transparent max-[374px]:px-0.5 md:px-2.5">
        {offline && <CloudOff className="size-4 shrink-0" aria-hidden="true" />}
        {offline && <Short text={t("outbox.offline")} />}
        {queued > 0 && (
          <i className={`size-2 shrink-0 rounded-full ${refused > 0 ? "bg-danger" : "bg-mark"}`} />
        )}
        {queued > 0 && <Short text={`${queued}`} />}
        <span className="sr-only md:not-sr-only">{words.join(" · ")}</span>
      </span>
    </Link>
  );
}

/** On a phone, for what is read aloud in full. */
const Short = ({ text }: { text: string }) => (
  <span className="md:hidden" aria-hidden="true">
    {text}
  </span>
);
