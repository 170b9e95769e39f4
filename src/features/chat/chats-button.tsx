/** The link to the chats with the unread count, which the app's icon shows too. */
import { MessageCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { sendsWhenClosed } from "@/lib/sends-when-closed";
import { useAppBadge, useUnread } from "@/state/chat";
import { useOutbox } from "@/state/outbox";
import { Badge, UNREAD_CAP } from "@/ui/badge";

export function ChatsButton() {
  const { t } = useTranslation();
  const count = useUnread();
  const unread = count ?? 0;
  const { waiting } = useOutbox();
  // Where nothing sends it while the app is closed, the icon asks for it to be opened.
  useAppBadge(count === null || sendsWhenClosed() ? count : count + waiting);
  return (
    <Link
      to={paths.chats}
      className="shell-icon relative"
      aria-label={unread > 0 ? t("chat.openUnread", { count: unread }) : t("chat.title")}
      data-testid="chats-button"
      data-unread={unread}
      data-pending={count === null ? "" : undefined}
    >
      <MessageCircle aria-hidden="true" />
      <Badge count={unread} cap={UNREAD_CAP} className="absolute end-0 top-0.5" />
    </Link>
  );
}
