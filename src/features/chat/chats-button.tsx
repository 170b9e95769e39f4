/** The link to the chats with the unread count, which the app's icon shows too. */
import { MessageCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { canSendWhenClosed } from "@/lib/sends-when-closed";
import { useAppBadge, useUnread } from "@/state/chat";
import { useOutbox } from "@/state/outbox";
import { Badge, UNREAD_CAP } from "@/ui/badge";

export function ChatsButton() {
  const { t } = useTranslation();
  const count = useUnread();
  const unread = count ?? 0;
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
      {canSendWhenClosed() ? <OnIcon count={count} /> : <OnIconWithWaiting unread={count} />}
    </Link>
  );
}

function OnIcon({ count }: { count: number | null }) {
  useAppBadge(count);
  return null;
}

/** Where nothing sends it while the app is closed, the icon asks for it to be opened. */
function OnIconWithWaiting({ unread }: { unread: number | null }) {
  const { waiting } = useOutbox();
  return <OnIcon count={unread === null ? null : unread + waiting} />;
}
