/** One queued action: what it is, how it stands and why, and what may be done about it. */
import { Pause, Play } from "lucide-react";
import type { IntentView } from "@/data/shapes";
import { bytesText } from "@/i18n/bytes-text";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenText } from "@/i18n/when";
import { whenClient } from "@/state/client-store";
import { useNow } from "@/state/page";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/progress";
import { DiscardIntent } from "./discard-intent";
import { IntentPicture } from "./intent-picture";
import { kindKey, reasonText, stateText } from "./intent-text";

interface OutboxItemProps {
  item: IntentView;
  offline: boolean;
  onDiscarded: () => void;
}

const DOTS: Partial<Record<IntentView["state"], string>> = {
  refused: "bg-danger",
  sending: "bg-accent animate-pulse-soft",
  paused: "bg-line-strong",
};

/** A caption may be long; a button's name and a question shall not be. */
const NAME_MAX = 80;
const shortName = (name: string): string =>
  [...name].length > NAME_MAX ? `${[...name].slice(0, NAME_MAX).join("")}…` : name;

export function OutboxItem({ item, offline, onDiscarded }: OutboxItemProps) {
  const { t, say, language } = useText();
  const now = useNow();
  const why = reasonText(item);
  const kind = t(kindKey(item));
  const name = item.label || item.about || kind;
  const about = [
    name === kind ? "" : kind,
    name === item.about ? "" : item.about,
    item.bytes > 0 ? bytesText(item.bytes, language) : "",
    say(whenText(item.createdAt, now)),
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
          <p className="truncate text-[13px] text-muted">{about.join(" · ")}</p>
          <p
            data-testid="intent-state"
            className={`mt-0.5 flex items-center gap-1.5 text-[13px] ${item.state === "refused" ? "font-semibold text-danger" : "text-muted"}`}
          >
            <i className={`size-2 shrink-0 rounded-full ${DOTS[item.state] ?? "bg-accent"}`} />
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
      <Actions item={item} name={shortName(name)} offline={offline} onDiscarded={onDiscarded} />
    </li>
  );
}

function Actions({
  item,
  name,
  offline,
  onDiscarded,
}: {
  item: IntentView;
  name: string;
  offline: boolean;
  onDiscarded: () => void;
}) {
  const { t } = useText();
  const act = async (what: "retry" | "pause" | "resume") =>
    (await whenClient()).outbox[what](item.id);
  const isUpload = item.kind === "media.create";
  const underWay = ["queued", "waiting", "sending"].includes(item.state);
  return (
    <div className="-mb-1 flex flex-wrap justify-end gap-2">
      <DiscardIntent intentId={item.id} name={name} onDiscarded={onDiscarded} />
      {(item.state === "refused" || (item.state === "waiting" && !offline)) && (
        <Button
          data-testid="retry-intent"
          aria-label={t("outbox.retryItem", { name })}
          onClick={() => void act("retry")}
        >
          {t("app.retry")}
        </Button>
      )}
      {isUpload && item.held && (
        <Button
          data-testid="resume-intent"
          aria-label={t("outbox.resumeItem", { name })}
          onClick={() => void act("resume")}
        >
          <Play aria-hidden="true" />
          {t("outbox.resume")}
        </Button>
      )}
      {isUpload && underWay && (
        <Button
          data-testid="pause-intent"
          aria-label={t("outbox.pauseItem", { name })}
          onClick={() => void act("pause")}
        >
          <Pause aria-hidden="true" />
          {t("outbox.pause")}
        </Button>
      )}
    </div>
  );
}
