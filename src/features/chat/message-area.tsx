/** The messages of a conversation, or why there are none to see. */
import { CloudOff, MessageCircleHeart, TriangleAlert } from "lucide-react";
import type { ConversationView } from "@/data/shapes";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { useMessages } from "@/state/chat";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/skeleton";
import { MessageList } from "./message-list";

const MIDDLE = "grid min-h-0 flex-1 place-items-center overflow-auto";

export function MessageArea({ conversation }: { conversation: ConversationView }) {
  const { t } = useText();
  const messages = useMessages(conversation.id);
  const { page } = messages;
  switch (page.state) {
    case "loading":
      return <MessagesLoading />;
    case "failed":
      return (
        <MessagesFailed
          offline={page.code === "network" || page.code === "timeout"}
          retry={messages.retry}
        />
      );
    case "ready":
      return page.value.items.length === 0 ? (
        <div className={MIDDLE}>
          <EmptyState
            testId="messages-empty"
            icon={<MessageCircleHeart />}
            title={t("chat.empty")}
          />
        </div>
      ) : (
        <MessageList conversation={conversation} page={page.value} messages={messages} />
      );
  }
}

function MessagesFailed({ offline, retry }: { offline: boolean; retry: () => void }) {
  const { t } = useText();
  return (
    <div className={MIDDLE}>
      <EmptyState
        testId={offline ? "messages-offline" : "messages-failed"}
        icon={offline ? <CloudOff /> : <TriangleAlert />}
        title={<Say k="chat.messagesFailed" />}
        text={t(offline ? "chat.messagesOffline" : "chat.messagesFailedText")}
      >
        <Button onClick={retry}>{t("app.retry")}</Button>
      </EmptyState>
    </div>
  );
}

export function MessagesLoading() {
  const { t } = useText();
  return (
    <div
      role="status"
      data-testid="messages-loading"
      className="flex min-h-0 flex-1 flex-col justify-end gap-2 overflow-hidden py-3"
    >
      <span className="sr-only">{t("chat.messagesLoading")}</span>
      <Skeleton className="h-10 w-1/2 rounded-[18px]!" />
      <Skeleton className="h-16 w-2/3 rounded-[18px]!" />
      <Skeleton className="ml-auto h-10 w-2/5 rounded-[18px]!" />
      <Skeleton className="ml-auto h-10 w-1/2 rounded-[18px]!" />
    </div>
  );
}
