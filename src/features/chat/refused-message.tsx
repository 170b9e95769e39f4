/** Why a message was not sent, with Retry and Discard (law 5). */
import type { MessageView } from "@/data/shapes";
import type { Text } from "@/i18n/keys";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenClient } from "@/state/client-store";
import { useOutbox } from "@/state/outbox";

const ACTION = "target px-1.5 font-semibold text-foreground underline underline-offset-2";
const NAME_MAX = 60;

export function RefusedMessage({ message }: { message: MessageView }) {
  const { t } = useText();
  const { items } = useOutbox();
  const intentId = message.pending?.intentId ?? "";
  const said = items.find((item) => item.id === intentId)?.message ?? "";
  const reason: Text =
    said === ""
      ? { key: message.type === "photo" ? "chat.photoFailed" : "chat.sendFailed" }
      : { raw: said };
  const text = message.message.slice(0, NAME_MAX) || t("chat.photo");
  const act = async (what: "retry" | "discard") => (await whenClient()).outbox[what](intentId);
  return (
    <div
      role="status"
      data-testid="refused"
      className="flex flex-wrap items-center justify-end gap-x-1.5 pt-1 text-right text-[13px]"
    >
      <span className="text-danger [overflow-wrap:anywhere]">
        <SayText text={reason} />
      </span>
      <span className="flex">
        <button
          type="button"
          className={ACTION}
          aria-label={t("chat.retryMessage", { text })}
          data-testid="retry-message"
          onClick={() => void act("retry")}
        >
          {t("app.retry")}
        </button>
        <button
          type="button"
          className={ACTION}
          aria-label={t("chat.discardMessage", { text })}
          data-testid="discard-message"
          onClick={() => void act("discard")}
        >
          {t("app.discard")}
        </button>
      </span>
    </div>
  );
}
