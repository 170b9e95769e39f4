/** All conversations, newest first, and the form that starts a new one. */
import { Ban, CloudOff, Image, MessagesSquare, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ConversationView } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { paths } from "@/domain/paths";
import { whenText } from "@/i18n/formats";
import { SayText } from "@/i18n/say";
import { useConversations } from "@/state/chat";
import { useClient } from "@/state/client-store";
import { useNow } from "@/state/page";
import { Avatar } from "@/ui/avatar";
import { Badge, UNREAD_CAP } from "@/ui/badge";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { PageHead } from "@/ui/page-head";
import { serverTrouble } from "@/ui/unreachable";
import { DeliveryMark } from "./delivery-mark";
import { StartChat, type StartChatProps } from "./start-chat";

export function ChatList(props: StartChatProps) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto max-w-[760px]" data-testid="chats">
      <PageHead title={t("chat.title")} back={paths.home} backLabel={t("app.back")} />
      <StartChat {...props} />
      <Conversations />
    </div>
  );
}

function Conversations() {
  const { t } = useTranslation();
  const chats = useConversations();
  if (chats.state === "loading") return <Loading />;
  if (chats.state === "failed") return <Failed code={chats.code} />;
  if (chats.value.length > 0) {
    return (
      <ul aria-label={t("chat.list")} className="-mx-2 mt-4" data-testid="chat-list">
        {chats.value.map((row) => (
          <ChatListItem key={row.id} conversation={row} />
        ))}
      </ul>
    );
  }
  return (
    <EmptyState
      testId="chats-empty"
      icon={<MessagesSquare />}
      title={t("chat.noChats")}
      text={t("chat.noChatsText")}
    />
  );
}

function Failed({ code }: { code: ErrorCode }) {
  const { t } = useTranslation();
  const client = useClient();
  const offline = code === "network";
  return (
    <EmptyState
      testId={offline ? "chats-offline" : "chats-failed"}
      passing
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={t(offline ? "app.offline" : "chat.listFailed")}
      text={t(offline ? "chat.listOfflineText" : serverTrouble(code))}
    >
      <Button onClick={() => void client?.sync()}>{t("app.retry")}</Button>
    </EmptyState>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" data-testid="chats-loading" className="mt-4 grid gap-4">
      <span className="sr-only">{t("chat.listLoading")}</span>
      {["a", "b", "c"].map((row) => (
        <span key={row} className="flex items-center gap-3 py-1">
          <Skeleton className="size-12 shrink-0 rounded-full!" />
          <span className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-3.5 w-3/4" />
          </span>
        </span>
      ))}
    </div>
  );
}

function ChatListItem({ conversation }: { conversation: ConversationView }) {
  const now = useNow();
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
            <ChatName conversation={conversation} name={name} />
            <span className="shrink-0 text-[0.8125rem] text-muted">
              <SayText text={whenText(conversation.lastAt, now)} />
            </span>
          </span>
          <span className="mt-0.5 flex items-center gap-2">
            <span
              className={cn(
                "flex min-w-0 flex-1 items-center gap-1.5 text-[0.90625rem]",
                unread > 0 ? "font-semibold text-foreground" : "text-muted",
              )}
            >
              {pending !== null && <DeliveryMark delivery={pending.state} />}
              <LastMessage conversation={conversation} />
            </span>
            <Unread count={unread} />
          </span>
        </span>
      </Link>
    </li>
  );
}

function ChatName({ conversation, name }: { conversation: ConversationView; name: string }) {
  const { t } = useTranslation();
  const known = name || <span className="font-normal text-muted">{t("chat.notHereYet")}</span>;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1.5">
      <b className="min-w-0 truncate text-[0.96875rem]" data-testid="chat-name">
        {conversation.other.state === "gone" ? t("chat.unknownUser") : known}
      </b>
      {conversation.blocked && (
        <span className="shrink-0 text-muted" data-testid="chat-blocked">
          <Ban className="size-[15px]" aria-hidden="true" />
          <span className="sr-only">{t("chat.isBlocked")}</span>
        </span>
      )}
    </span>
  );
}

function Unread({ count }: { count: number }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <>
      <span className="sr-only">{t("chat.unread", { count })}</span>
      <span aria-hidden="true" className="flex" data-testid="chat-unread">
        <Badge
          count={count}
          cap={UNREAD_CAP}
          className="min-w-5 px-1.5 text-xs leading-[1.25rem]"
        />
      </span>
    </>
  );
}

function LastMessage({ conversation }: { conversation: ConversationView }) {
  const { t } = useTranslation();
  const { lastKind, lastMessage, lastByMe } = conversation;
  if (lastKind === "none") return <span className="truncate">{t("chat.noMessages")}</span>;
  const words =
    lastKind === "photo"
      ? t("media.photo")
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
