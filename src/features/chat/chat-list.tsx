/** Everybody one chats with, newest first, and the way to somebody new. */
import { ArrowLeft, CloudOff, MessagesSquare, TriangleAlert } from "lucide-react";
import { Link } from "react-router-dom";
import type { ConversationView, SessionUser } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { useConversations } from "@/state/chat";
import { useClient } from "@/state/client-store";
import { useNow } from "@/state/page";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/skeleton";
import { ChatListItem } from "./chat-list-item";
import { StartChat } from "./start-chat";

interface ChatListProps {
  user: SessionUser;
  onStarted: (conversationId: string) => void;
}

export function ChatList({ user, onStarted }: ChatListProps) {
  const { t } = useText();
  return (
    <div className="mx-auto max-w-[760px]" data-testid="chats">
      <div className="-ml-3 mb-3 flex items-center gap-1">
        <Link to={paths.home} className="shell-icon" aria-label={t("chat.back")} data-testid="back">
          <ArrowLeft aria-hidden="true" />
        </Link>
        <h1 className="text-[26px] leading-tight font-bold tracking-tight">{t("chat.title")}</h1>
      </div>
      <StartChat user={user} onStarted={onStarted} />
      <Conversations />
    </div>
  );
}

function Conversations() {
  const now = useConversations();
  switch (now.state) {
    case "loading":
      return <Loading />;
    case "failed":
      return <Failed offline={now.code === "network" || now.code === "timeout"} />;
    case "ready":
      return now.value.length === 0 ? <NoChats /> : <Rows rows={now.value} />;
  }
}

function Rows({ rows }: { rows: readonly ConversationView[] }) {
  const { t } = useText();
  const now = useNow();
  return (
    <ul aria-label={t("chat.list")} className="-mx-2 mt-4" data-testid="chat-list">
      {rows.map((row) => (
        <ChatListItem key={row.id} conversation={row} now={now} />
      ))}
    </ul>
  );
}

function NoChats() {
  const { t } = useText();
  return (
    <EmptyState
      testId="chats-empty"
      icon={<MessagesSquare />}
      title={t("chat.noChats")}
      text={t("chat.noChatsText")}
    />
  );
}

function Failed({ offline }: { offline: boolean }) {
  const { t } = useText();
  const client = useClient();
  return (
    <EmptyState
      testId={offline ? "chats-offline" : "chats-failed"}
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={offline ? t("chat.listOffline") : t("chat.listFailed")}
      text={offline ? t("chat.listOfflineText") : t("chat.listFailedText")}
    >
      <Button onClick={() => void client?.sync()}>{t("app.retry")}</Button>
    </EmptyState>
  );
}

function Loading() {
  const { t } = useText();
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
