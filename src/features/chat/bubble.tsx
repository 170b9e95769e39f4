/** One message, with its time, its delivery state and its actions. */

import { Flag, ImageOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Counterpart, MessageView } from "@/data/shapes";
import { linkParts } from "@/domain/linked-words";
import { chatRefusalText } from "@/i18n/error-text";
import { clockMark, clockText } from "@/i18n/formats";
import { SayText } from "@/i18n/say";
import { deleteMessage, useFileUrl } from "@/state/chat";
import { discardIntent, retryIntent, useOutbox } from "@/state/outbox";
import { reportWish } from "@/state/reports";
import { useAsk } from "@/ui/ask-first";
import { cn } from "@/ui/cn";
import { lazily } from "@/ui/lazily";
import { LinkedText } from "@/ui/linked-text";
import { DELIVERY_TEXTS, type Delivery, DeliveryMark } from "./delivery-mark";

interface BubbleProps {
  message: MessageView;
  first: boolean;
  other: Counterpart;
}

const deliveryOf = ({ pending, read }: MessageView): Delivery =>
  pending?.state ?? (read ? "read" : "sent");

export function Bubble({ message, first, other }: BubbleProps) {
  const { mine, deleted, pending } = message;
  const isRefused = pending?.state === "refused";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list item holds it; this is what names it.
    <div
      role="group"
      aria-label={useBubbleName(message, other)}
      data-testid="message"
      data-message-id={message.id}
      data-mine={mine}
      data-fate={mine ? deliveryOf(message) : ""}
      className={cn("group", first ? "pt-2.5" : "pt-1")}
    >
      <div className={cn("flex items-center gap-1", mine && "justify-end")}>
        {mine && !deleted && !isRefused && <DeleteMessage message={message} />}
        <div
          className={cn(
            "max-w-[78%] min-w-0 rounded-[18px]",
            mine ? "rounded-ee-[5px] bg-bubble" : "rounded-es-[5px] bg-bubble-other",
            isRefused && "outline-2 -outline-offset-1 outline-danger",
            message.type === "photo" && !deleted ? "w-min p-1" : "px-3.5 py-2",
          )}
        >
          <Content message={message} other={other} />
        </div>
        {!mine && !deleted && <ReportMessage message={message} other={other} />}
      </div>
      {isRefused && <RefusedMessage message={message} />}
    </div>
  );
}

/** "ben.k, 09:05", and of an own one how far it came: for whoever sees no sides and colours. */
function useBubbleName(message: MessageView, other: Counterpart): string {
  const { t, i18n } = useTranslation();
  const theirs = other.state === "known" ? other.username : t("chat.unknownUser");
  const name = message.mine ? t("chat.me") : theirs;
  const time = clockText(message.timestamp * 1000, i18n.language);
  if (!message.mine || message.deleted) return t("chat.bubble", { name, time });
  return t("chat.bubbleMine", { name, time, state: t(DELIVERY_TEXTS[deliveryOf(message)].text) });
}

type ContentProps = Pick<BubbleProps, "message" | "other">;

function Content({ message, other }: ContentProps) {
  const { t } = useTranslation();
  if (message.deleted) {
    return (
      <p className="text-[0.9375rem] text-bubble-muted italic">
        {t("chat.deleted")} <Stamp message={message} />
      </p>
    );
  }
  const words = (
    <>
      {message.message !== "" && (
        <span
          dir="auto"
          data-testid="message-text"
          className="text-[0.96875rem] leading-[1.4] whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
        >
          <LinkedText parts={linkParts(message.message)} />
        </span>
      )}
      <Stamp message={message} />
    </>
  );
  if (message.type !== "photo") return words;
  return (
    <>
      <PhotoThumb message={message} other={other} />
      <div className="px-2.5 pt-1.5 pb-1">{words}</div>
    </>
  );
}

function Stamp({ message }: { message: MessageView }) {
  const { i18n } = useTranslation();
  const at = message.timestamp * 1000;
  return (
    <span className="float-end mt-1.5 -mb-0.5 ms-3 flex items-center gap-1 text-xs leading-[1rem] text-bubble-muted not-italic tabular-nums">
      <time dateTime={new Date(at).toISOString()} {...clockMark(i18n.language)}>
        {clockText(at, i18n.language)}
      </time>
      {message.mine && !message.deleted && <DeliveryMark delivery={deliveryOf(message)} />}
    </span>
  );
}

const ACT =
  "shell-icon text-muted! opacity-60 transition-opacity hover:text-foreground! hover:opacity-100 focus-visible:opacity-100 [&_svg]:size-[17px]! [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100";

function ReportMessage({ message, other }: Pick<BubbleProps, "message" | "other">) {
  const { t } = useTranslation();
  const { id, senderId } = message;
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  return (
    <button
      type="button"
      aria-label={t("report.aMessage")}
      title={t("report.aMessage")}
      data-testid="report-message"
      className={ACT}
      onClick={() => reportWish.set({ kind: "message", id, place: senderId, name })}
    >
      <Flag aria-hidden="true" />
    </button>
  );
}

function DeleteMessage({ message }: { message: MessageView }) {
  const { t } = useTranslation();
  const { ask, dialog } = useAsk();
  const askToDelete = () =>
    ask({
      title: t("chat.deleteTitle"),
      description: t("chat.deleteText"),
      action: t("app.delete"),
      onAction: () => void deleteMessage(message.conversationId, message.id),
    });
  return (
    <>
      <button
        type="button"
        aria-label={t("chat.delete")}
        data-testid="delete-message"
        className={ACT}
        onClick={askToDelete}
      >
        <Trash2 aria-hidden="true" />
      </button>
      {dialog}
    </>
  );
}

const CHOICES = [
  { name: "retry", act: retryIntent },
  { name: "discard", act: discardIntent },
] as const;
const NAME_MAX = 60;

function RefusedMessage({ message }: { message: MessageView }) {
  const { t } = useTranslation();
  const { items } = useOutbox();
  const intentId = message.pending?.intentId ?? "";
  const code = items.find((item) => item.id === intentId)?.code ?? null;
  const reason = chatRefusalText(
    code,
    message.type === "photo" ? "chat.photoFailed" : "chat.sendFailed",
  );
  const text = message.message.slice(0, NAME_MAX) || t("media.photo");
  return (
    <div
      role="status"
      data-testid="refused"
      className="flex flex-wrap items-center justify-end gap-x-1.5 pt-1 text-end text-[0.8125rem]"
    >
      <span className="text-danger [overflow-wrap:anywhere]">
        <SayText text={reason} />
      </span>
      <span className="flex">
        {CHOICES.map(({ name, act }) => (
          <button
            key={name}
            type="button"
            className="target px-1.5 font-semibold text-foreground underline underline-offset-2"
            aria-label={t(`chat.${name}Message`, { text })}
            data-testid={`${name}-message`}
            onClick={() => void act(intentId)}
          >
            {t(`app.${name}`)}
          </button>
        ))}
      </span>
    </div>
  );
}

const ViewPhoto = lazily(() => import("./view-photo"), "ViewPhoto");

/** Width by height of the photos that were seen, by message: the next time their place is known. */
const shapes = new Map<string, number>();
const SQUARE = 1;
const PHOTO_PX = 240;
/** Longer or narrower ones are cut. */
const MOST = 2.2;

const shapeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement): number =>
  naturalHeight === 0 ? SQUARE : Math.min(MOST, Math.max(1 / MOST, naturalWidth / naturalHeight));

/** A square until its shape is known: it never needs more room than that. */
function PhotoThumb({ message, other }: ContentProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [shape, setShape] = useState(() => shapes.get(message.id) ?? SQUARE);
  const { src, failed, onError } = useFileUrl(message.thumbnailUrl);
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  const alt = message.mine ? t("chat.photoMine") : t("chat.photoFrom", { name });
  return (
    <>
      <button
        type="button"
        aria-label={`${t("chat.viewPhoto")}: ${alt}`}
        data-testid="open-photo"
        className="block max-w-[62vw] overflow-hidden rounded-[14px] bg-skeleton"
        style={{ width: `${PHOTO_PX * Math.min(1, shape)}px`, aspectRatio: shape }}
        onClick={() => setOpen(true)}
      >
        {failed && (
          <span className="grid size-full place-items-center gap-2 p-4 text-[0.8125rem] text-muted">
            <ImageOff className="size-6" aria-hidden="true" />
            {t("chat.photoMissing")}
          </span>
        )}
        {!failed && src !== "" && (
          <img
            src={src}
            alt=""
            data-testid="message-photo"
            className="size-full object-cover"
            onLoad={({ currentTarget }) => {
              shapes.set(message.id, shapeOf(currentTarget));
              setShape(shapeOf(currentTarget));
            }}
            onError={onError}
          />
        )}
      </button>
      {open && (
        <ViewPhoto
          url={message.imageUrl}
          thumbnail={failed ? "" : src}
          alt={alt}
          text={message.message}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
