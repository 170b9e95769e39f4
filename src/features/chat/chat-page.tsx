/** One conversation: who it is with, what was said, and the field to go on. */
import { CloudOff, MessageCircleOff, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { Link } from "react-router-dom";
import type { ConversationView, SessionUser } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { useConversation, useFillHeight, useMarkRead } from "@/state/chat";
import { useClient } from "@/state/client-store";
import { useTitle } from "@/state/page";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { BlockedBar } from "./blocked-bar";
import { ChatHeader } from "./chat-header";
import { Composer } from "./composer";
import { MessageArea, MessagesLoading } from "./message-area";
import { usePhotoChoice } from "./use-photo-choice";

interface ChatPageProps {
  conversationId: string;
  user: SessionUser;
  onLeave: () => void;
}

export function ChatPage({ conversationId, user, onLeave }: ChatPageProps) {
  const { t } = useText();
  const found = useConversation(conversationId);
  const conversation = found.state === "found" ? found.value : null;
  useMarkRead(conversation);
  useTitle(conversation === null ? t("chat.title") : nameOf(conversation, t("chat.title")));
  if (found.state === "gone") return <NotFound />;
  if (found.state === "unreachable") return <PartnerFailed />;
  return <Open {...{ conversationId, conversation, user, onLeave }} />;
}

const nameOf = ({ other }: ConversationView, fallback: string): string =>
  other.state === "known" ? other.username : fallback;

function Open({
  conversationId,
  conversation,
  user,
  onLeave,
}: ChatPageProps & { conversation: ConversationView | null }) {
  const { t } = useText();
  const page = useRef<HTMLDivElement>(null);
  useFillHeight(page);
  const photo = usePhotoChoice(conversationId);
  return (
    <div
      ref={page}
      data-fill=""
      data-testid="chat"
      data-conversation-id={conversationId}
      className="relative mx-auto flex h-[calc(100dvh-57px)] min-h-[320px] w-full max-w-[760px] flex-col"
      {...(conversation?.blocked ? {} : photo.dropTarget)}
    >
      <ChatHeader conversation={conversation} onLeave={onLeave} />
      {conversation === null ? <MessagesLoading /> : <MessageArea conversation={conversation} />}
      {conversation?.blocked ? (
        <BlockedBar conversation={conversation} />
      ) : (
        <Composer
          userId={user.id}
          conversationId={conversationId}
          onPhoto={photo.choose}
          disabled={conversation === null}
        />
      )}
      {photo.isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-[20px] border-2 border-dashed border-accent bg-background/85 text-lg font-bold">
          {t("chat.drop")}
        </div>
      )}
      {photo.dialog}
    </div>
  );
}

function NotFound() {
  return (
    <EmptyState
      page
      testId="chat-not-found"
      icon={<MessageCircleOff />}
      title={<Say k="chat.notFound" />}
      text={<Say k="chat.notFoundText" />}
    >
      <ToChats />
    </EmptyState>
  );
}

function PartnerFailed() {
  const { t } = useText();
  const client = useClient();
  const offline = client?.connection.getSnapshot() !== "online";
  return (
    <EmptyState
      page
      testId="chat-unreachable"
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={<Say k="chat.partnerFailed" />}
      text={t(offline ? "chat.messagesOffline" : "chat.messagesFailedText")}
    >
      <ToChats />
      <Button onClick={() => void client?.sync()}>{t("app.retry")}</Button>
    </EmptyState>
  );
}

const ToChats = () => (
  <Link to={paths.chats} className={buttonClasses({ variant: "accent" })} data-testid="to-chats">
    <Say k="chat.toChats" />
  </Link>
);
