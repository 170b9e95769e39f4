/** One queued action: what it is, its state and the reason, and the actions on it. */
import {
  Ban,
  CheckCheck,
  Flag,
  Heart,
  ImageUp,
  MessageCircle,
  Pause,
  Pencil,
  Play,
  SendHorizontal,
  Trash2,
  UserRound,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { IntentView } from "@/data/shapes";
import { bytesText, whenText } from "@/i18n/formats";
import { kindKey, reasonText, stateText } from "@/i18n/intent-texts";
import { plain, SayText } from "@/i18n/say";
import { whenClient } from "@/state/client-store";
import { discardIntent, useConnection } from "@/state/outbox";
import { useNow } from "@/state/page";
import { useAsk } from "@/ui/ask-first";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/loading";

type OutboxItemProps = { item: IntentView; onDiscarded: () => void };

const DOTS: Partial<Record<IntentView["state"], string>> = {
  refused: "bg-danger",
  sending: "bg-mark animate-pulse-soft",
  paused: "bg-line-strong",
};

/** A caption can be long; a button's name and a question must not be. */
const NAME_MAX = 80;
const shortName = (name: string): string =>
  [...name].length > NAME_MAX ? `${[...name].slice(0, NAME_MAX).join("")}…` : name;

export function OutboxItem({ item, onDiscarded }: OutboxItemProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const offline = useConnection() === "offline";
  const why = reasonText(item);
  const kind = t(kindKey(item));
  const name = item.label || item.about || kind;
  const about = [
    name === kind ? "" : kind,
    name === item.about ? "" : item.about,
    item.bytes > 0 ? bytesText(item.bytes, i18n.language) : "",
    plain(t, whenText(item.createdAt, now)),
  ].filter(Boolean);
  return (
    <li
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-[18px] border border-line bg-raised p-3 [contain-intrinsic-size:auto_140px] [content-visibility:auto]"
      data-testid="outbox-item"
      data-state={item.state}
      data-intent-id={item.id}
    >
      <div className="flex gap-3">
        <IntentPicture item={item} />
        <div className="min-w-0 flex-1 self-center">
          <p className="line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]">{name}</p>
          <p className="truncate text-[0.8125rem] text-muted">{about.join(" · ")}</p>
          <p
            data-testid="intent-state"
            className={`mt-0.5 flex items-center gap-1.5 text-[0.8125rem] ${item.state === "refused" ? "font-semibold text-danger" : "text-muted"}`}
          >
            <i className={`size-2 shrink-0 rounded-full ${DOTS[item.state] ?? "bg-mark"}`} />
            <SayText text={stateText(item, offline)} />
          </p>
        </div>
      </div>
      {item.state === "sending" && item.bytes > 0 && (
        <Progress value={item.progress} label={t("upload.progress", { name })} />
      )}
      {why !== null && (
        <p
          data-testid="intent-reason"
          className="rounded-xl bg-surface px-3 py-2 text-sm [overflow-wrap:anywhere]"
        >
          <SayText text={why} />
        </p>
      )}
      <Actions item={item} name={shortName(name)} onDiscarded={onDiscarded} />
    </li>
  );
}

const ICONS = {
  retry: null,
  resume: <Play aria-hidden="true" />,
  pause: <Pause aria-hidden="true" />,
};

function Actions({ item, name, onDiscarded }: OutboxItemProps & { name: string }) {
  const { t } = useTranslation();
  const offline = useConnection() === "offline";
  const { ask, dialog } = useAsk();
  const act = async (what: keyof typeof ICONS) => (await whenClient()).outbox[what](item.id);
  const underWay = ["queued", "waiting", "sending"].includes(item.state);
  const askToDiscard = () =>
    ask({
      title: t("outbox.discardTitle"),
      description: t("outbox.discardText", { name }),
      action: t("app.discard"),
      onAction: () => void discardIntent(item.id).then(onDiscarded),
    });
  const button = (what: keyof typeof ICONS) => (
    <Button
      data-testid={`${what}-intent`}
      aria-label={t(`outbox.${what}Item`, { name })}
      onClick={() => void act(what)}
    >
      {ICONS[what]}
      {t(what === "retry" ? "app.retry" : `outbox.${what}`)}
    </Button>
  );
  return (
    <div className="-mb-1 flex flex-wrap justify-end gap-2">
      <Button
        variant="ghost"
        className="px-3! text-muted! hover:text-foreground!"
        data-testid="discard-intent"
        aria-label={t("outbox.discardItem", { name })}
        onClick={askToDiscard}
      >
        {t("app.discard")}
      </Button>
      {(item.state === "refused" || (item.state === "waiting" && !offline)) && button("retry")}
      {item.isUpload && item.held && button("resume")}
      {item.isUpload && underWay && button("pause")}
      {dialog}
    </div>
  );
}

const SIGNS = [
  [/\.delete$/, Trash2],
  [/^media\.update/, Pencil],
  [/^media\./, ImageUp],
  [/^like/, Heart],
  [/^(?:comment|conversation\.create)/, MessageCircle],
  [/^block/, Ban],
  [/^report/, Flag],
  [/^conversation\.read/, CheckCheck],
  [/^message/, SendHorizontal],
] as const;

/** The picture of a queued action, or an icon of its kind. Decoration next to the name. */
function IntentPicture({ item }: { item: IntentView }) {
  const [broken, setBroken] = useState(false);
  const frame = "size-14 shrink-0 overflow-hidden rounded-xl md:size-16";
  if (item.thumbnailUrl !== "" && !broken) {
    return (
      <img
        src={item.thumbnailUrl}
        alt=""
        className={`${frame} bg-skeleton object-cover`}
        onError={() => setBroken(true)}
      />
    );
  }
  const Sign = SIGNS.find(([pattern]) => pattern.test(item.kind))?.[1] ?? UserRound;
  return (
    <span aria-hidden="true" className={`${frame} grid place-items-center bg-surface text-muted`}>
      <Sign className="size-6" />
    </span>
  );
}
