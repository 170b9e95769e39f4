import { useTranslation } from "react-i18next";
import { NotificationsPage } from "@/features/notifications/notifications-page";
import { useTitle } from "@/state/page";
import { ForUser } from "./for-user";

export function NotificationsRoute() {
  const { t } = useTranslation();
  useTitle(t("bell.title"));
  return <ForUser>{(user) => <NotificationsPage key={user.id} />}</ForUser>;
}
