/** The link to what one is told of, with how much of it is new. */
import { Bell } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useWatch } from "@/state/use-watch";
import { Badge, UNREAD_CAP } from "@/ui/badge";

export function BellButton() {
  const { t } = useTranslation();
  const count = useWatch<number | null>(
    ({ reads }) => reads.watchUnreadNotifications(),
    [],
    null,
    0,
  );
  const unread = count ?? 0;
  return (
    <Link
      to={paths.notifications}
      className="shell-icon relative"
      aria-label={unread > 0 ? t("bell.openUnread", { count: unread }) : t("bell.title")}
      data-testid="notifications-button"
      data-unread={unread}
      data-pending={count === null ? "" : undefined}
    >
      <Bell aria-hidden="true" />
      <Badge count={unread} cap={UNREAD_CAP} className="absolute end-0 top-0.5" />
    </Link>
  );
}
