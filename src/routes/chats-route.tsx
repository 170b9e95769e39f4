import { useTranslation } from "react-i18next";
import { Navigate, useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { ChatList } from "@/features/chat/chat-list";
import { useTitle } from "@/state/page";
import { useSession } from "@/state/session";
import { Spinner } from "@/ui/loading";

export function ChatsRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  useTitle(t("chat.title"));
  switch (session.state) {
    case "loading":
      return <Spinner label={t("app.loading")} className="w-full py-24" />;
    case "signed-out":
      return <Navigate to={paths.login} replace />;
    case "signed-in":
      return <ChatList user={session.user} onStarted={(id) => navigate(paths.chat(id))} />;
  }
}
