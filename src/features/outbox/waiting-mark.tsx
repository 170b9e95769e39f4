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
  const dot = refused > 0 ? "bg-danger" : offline && waiting === 0 ? "bg-muted" : "bg-accent";
  return (
    <Link
      to={paths.outbox}
      className="target flex shrink-0 items-center justify-center rounded-full text-[13px] text-muted hover:text-foreground"
      aria-label={`${t("outbox.open")}: ${words.join(", ")}`}
      data-testid="waiting-mark"
      data-waiting={waiting}
      data-refused={refused}
      data-offline={offline}
    >
      <span className="flex h-[30px] min-w-[30px] items-center justify-center gap-2 rounded-full border border-line bg-surface px-2 whitespace-nowrap tabular-nums md:px-2.5">
        {offline && waiting + refused === 0 ? (
          <CloudOff className="size-4 md:hidden" aria-hidden="true" />
        ) : (
          <i className={`size-2 shrink-0 rounded-full ${dot}`} />
        )}
        <span className="md:hidden">{waiting + refused > 0 && waiting + refused}</span>
        <span className="hidden md:inline">{words.join(" · ")}</span>
      </span>
    </Link>
  );
}
