/** The delivery state of a message (resolution 72): clock, one tick, two ticks, or a red sign. */
import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { IntentState } from "@/data/shapes";
import type { TextKey } from "@/i18n/keys";

export type Delivery = IntentState | "sent" | "read";

export const DELIVERY_TEXTS: Readonly<Record<Delivery, { icon: typeof Clock; text: TextKey }>> = {
  queued: { icon: Clock, text: "chat.waiting" },
  waiting: { icon: Clock, text: "chat.waiting" },
  paused: { icon: Clock, text: "chat.waiting" },
  sending: { icon: Clock, text: "outbox.state.sending" },
  acked: { icon: Check, text: "outbox.state.acked" },
  sent: { icon: Check, text: "outbox.state.acked" },
  read: { icon: CheckCheck, text: "chat.read" },
  refused: { icon: CircleAlert, text: "outbox.state.refused" },
};

export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const { icon: Icon, text } = DELIVERY_TEXTS[delivery];
  return (
    <span
      data-testid="fate"
      data-fate={delivery}
      className={delivery === "refused" ? "shrink-0 text-danger" : "shrink-0"}
    >
      <Icon className="size-[15px]" strokeWidth={2.2} aria-hidden="true" />
      <span className="sr-only">{t(text)}</span>
    </span>
  );
}
