/** One message: own ones on the right, the other's on the left, with its time and fate. */
import type { Counterpart, MessageView } from "@/data/shapes";
import { clockText } from "@/i18n/clock-text";
import { useText } from "@/i18n/use-text";
import { cn } from "@/ui/cn";
import { DeleteMessage } from "./delete-message";
import { type Fate, FateMark } from "./fate-mark";
import { LinkedText } from "./linked-text";
import { PhotoThumb } from "./photo-thumb";
import { RefusedMessage } from "./refused-message";

interface BubbleProps {
  message: MessageView;
  first: boolean;
  other: Counterpart;
}

const fateOf = ({ pending, read }: MessageView): Fate => pending?.state ?? (read ? "read" : "sent");

export function Bubble({ message, first, other }: BubbleProps) {
  const { mine, deleted, pending } = message;
  const isRefused = pending?.state === "refused";
  return (
    <div
      data-testid="message"
      data-message-id={message.id}
      data-mine={mine}
      data-fate={mine ? fateOf(message) : ""}
      className={cn("group", first ? "pt-2.5" : "pt-1")}
    >
      <div className={cn("flex items-center gap-1", mine && "justify-end")}>
        {mine && !deleted && !isRefused && <DeleteMessage message={message} />}
        <div
          className={cn(
            "max-w-[78%] min-w-0 rounded-[18px]",
            mine ? "rounded-br-[5px] bg-bubble" : "rounded-bl-[5px] bg-bubble-other",
            isRefused && "outline-2 -outline-offset-1 outline-danger",
            message.type === "photo" && !deleted ? "w-min p-1" : "px-3.5 py-2",
          )}
        >
          <Content message={message} other={other} />
        </div>
      </div>
      {isRefused && <RefusedMessage message={message} />}
    </div>
  );
}

function Content({ message, other }: Pick<BubbleProps, "message" | "other">) {
  const { t } = useText();
  if (message.deleted) {
    return (
      <p className="text-[15px] text-bubble-muted italic">
        {t("chat.deleted")} <Stamp message={message} />
      </p>
    );
  }
  if (message.type === "photo") {
    return (
      <>
        <PhotoThumb message={message} other={other} />
        <div className="px-2.5 pt-1.5 pb-1">
          <LinkedText text={message.message} />
          <Stamp message={message} />
        </div>
      </>
    );
  }
  return (
    <>
      <LinkedText text={message.message} />
      <Stamp message={message} />
    </>
  );
}

function Stamp({ message }: { message: MessageView }) {
  const at = message.timestamp * 1000;
  return (
    <span className="float-right mt-1.5 -mb-0.5 ml-3 flex items-center gap-1 text-xs leading-4 text-bubble-muted not-italic tabular-nums">
      <time dateTime={new Date(at).toISOString()} lang="de">
        {clockText(at)}
      </time>
      {message.mine && !message.deleted && <FateMark fate={fateOf(message)} />}
    </span>
  );
}
