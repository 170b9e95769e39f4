/** One chat of the list: who, when, the last words and their fate, and how many are unread. */
import { Ban, Image } from "lucide-react";
import { Link } from "react-router-dom";
import type { ConversationView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { Avatar } from "@/ui/avatar";
import { Badge, UNREAD_CAP } from "@/ui/badge";
import { cn } from "@/ui/cn";
import { FateMark } from "./fate-mark";

export function ChatListItem({
  conversation,
  now,
}: {
  conversation: ConversationView;
  now: number;
}) {
  const { t } = useText();
  const { other, unread, pending } = conversation;
  const name = other.state === "known" ? other.username : "";
  return (
    <li
      data-testid="chat-list-item"
      data-conversation-id={conversation.id}
      data-unread={unread}
      className="[contain-intrinsic-size:auto_72px] [content-visibility:auto]"
    >
      <Link
        to={paths.chat(conversation.id)}
        className="flex items-center gap-3 rounded-2xl px-2 py-3 text-foreground no-underline hover:bg-surface"
      >
        <Avatar
          name={name || "?"}
          src={other.state === "known" ? other.thumbnailUrl : ""}
          size={48}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-3">
            <span className="flex min-w-0 flex-1 items-center gap-1.5">
              <b className="min-w-0 truncate text-[15.5px]" data-testid="chat-name">
                {other.state === "gone" ? t("chat.unknownUser") : name || <NameComing />}
              </b>
              {conversation.blocked && <BlockedMark />}
            </span>
            <span className="shrink-0 text-[13px] text-muted">
              <SayText text={whenText(conversation.lastAt, now)} />
            </span>
          </span>
          <span className="mt-0.5 flex items-center gap-2">
            <span
              className={cn(
                "flex min-w-0 flex-1 items-center gap-1.5 text-[14.5px]",
                unread > 0 ? "font-semibold text-foreground" : "text-muted",
              )}
            >
              {pending !== null && <FateMark fate={pending.state} />}
              <LastMessage conversation={conversation} />
            </span>
            <Unread count={unread} />
          </span>
        </span>
      </Link>
    </li>
  );
}

function BlockedMark() {
  const { t } = useText();
  return (
    <span className="shrink-0 text-muted" data-testid="chat-blocked">
      <Ban className="size-[15px]" aria-hidden="true" />
      <span className="sr-only">{t("chat.isBlocked")}</span>
    </span>
  );
}

function NameComing() {
  const { t } = useText();
  return <span className="font-normal text-muted">{t("chat.notHereYet")}</span>;
}

function Unread({ count }: { count: number }) {
  const { t } = useText();
  if (count === 0) return null;
  return (
    <>
      <span className="sr-only">{t("chat.unread", { count })}</span>
      <span aria-hidden="true" className="flex" data-testid="chat-unread">
        <Badge count={count} cap={UNREAD_CAP} className="min-w-5 px-1.5 text-xs leading-5" />
      </span>
    </>
  );
}

function LastMessage({ conversation }: { conversation: ConversationView }) {
  const { t } = useText();
  const { lastKind, lastMessage, lastByMe } = conversation;
  if (lastKind === "none") return <span className="truncate">{t("chat.noMessages")}</span>;
  const words =
    lastKind === "photo"
      ? t("chat.photo")
      : lastKind === "deleted"
        ? t("chat.deleted")
        : lastMessage;
  return (
    <>
      {lastKind === "photo" && <Image className="size-4 shrink-0" aria-hidden="true" />}
      <span
        dir="auto"
        data-testid="last-message"
        className={cn("min-w-0 flex-1 truncate", lastKind === "deleted" && "italic")}
      >
        {lastByMe ? t("chat.you", { text: words }) : words}
      </span>
    </>
  );
}
