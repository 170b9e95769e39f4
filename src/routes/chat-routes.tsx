import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { ChatList } from "@/features/chat/chat-list";
import { ChatPage } from "@/features/chat/chat-page";
import { useTitle } from "@/state/page";
import { ForUser } from "./for-user";

export function ChatsRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useTitle(t("chat.title"));
  return (
    <ForUser>
      {(user) => <ChatList user={user} onStarted={(id) => navigate(paths.chat(id))} />}
    </ForUser>
  );
}

export function ChatRoute() {
  const { conversationId = "" } = useParams();
  const navigate = useNavigate();
  return (
    <ForUser>
      {(user) => (
        <ChatPage
          key={conversationId}
          conversationId={conversationId}
          user={user}
          onLeave={() => navigate(paths.chats)}
        />
      )}
    </ForUser>
  );
}
