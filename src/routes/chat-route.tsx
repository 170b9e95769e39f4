import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { ChatPage } from "@/features/chat/chat-page";
import { useSession } from "@/state/session";
import { Spinner } from "@/ui/loading";

export function ChatRoute() {
  const { t } = useTranslation();
  const { conversationId = "" } = useParams();
  const navigate = useNavigate();
  const session = useSession();
  switch (session.state) {
    case "loading":
      return <Spinner label={t("app.loading")} className="w-full py-24" />;
    case "signed-out":
      return <Navigate to={paths.login} replace />;
    case "signed-in":
      return (
        <ChatPage
          key={conversationId}
          conversationId={conversationId}
          user={session.user}
          onLeave={() => navigate(paths.chats)}
        />
      );
  }
}
