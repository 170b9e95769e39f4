import { OutboxScreen } from "@/features/outbox/outbox-screen";
import { useText } from "@/i18n/use-text";
import { useTitle } from "@/state/page";

export function OutboxRoute() {
  const { t } = useText();
  useTitle(t("outbox.title"));
  return <OutboxScreen />;
}
