import { useTranslation } from "react-i18next";
import { OutboxScreen } from "@/features/outbox/outbox-screen";
import { useTitle } from "@/state/page";

export function OutboxRoute() {
  const { t } = useTranslation();
  useTitle(t("outbox.title"));
  return <OutboxScreen />;
}
