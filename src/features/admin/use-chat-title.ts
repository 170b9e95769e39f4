/** "ann ↔ ben"; whoever is gone is 'Unknown User'. */
import type { AdminConversation } from "@/data/admin/admin-client";
import { useText } from "@/i18n/use-text";

export function useChatTitle({ participants }: AdminConversation): string {
  const { t } = useText();
  const [first, second] = participants.map(({ username }) => username || t("admin.unknownUser"));
  return t("admin.chats.arrow", { first: first ?? "", second: second ?? "" });
}
