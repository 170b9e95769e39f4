/**
 * What a card offers to whoever holds it: like, save, keep, share, report. The key that opens menus
 * opens it as well; a mouse gets the browser's own.
 */
import { Bookmark, CloudCheck, CloudDownload, Flag, Heart, Share2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigationType } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { may } from "@/domain/may";
import { bytesText } from "@/i18n/formats";
import { useKeepOffline, useMedia } from "@/state/media";
import { usePreferences } from "@/state/preferences";
import { reportWish } from "@/state/reports";
import { useSave } from "@/state/saves";
import { useUser } from "@/state/session";
import { shareMedia } from "@/state/share";
import { BUZZ_MS, useLike } from "@/state/use-like";
import { Dialog, type DialogFrame } from "@/ui/dialog";

/** A finger that stays for so long holds a card, as phones count it. */
const HOLD_MS = 500;
/** Small movements of a resting finger, pixels. */
const REST_PX = 10;

/** Its buttons answer by themselves. */
const cardOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element && target.closest("button") === null
    ? target.closest<HTMLElement>("li.shell-card")
    : null;

function useHeldCard(onHeld: (card: HTMLElement) => void): void {
  const call = useRef(onHeld);
  call.current = onHeld;
  // Outside: the fingers on the page.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { clientX: 0, clientY: 0 };
    let isHeld = false;
    const stop = () => clearTimeout(timer);
    const hold = (card: HTMLElement) => {
      stop();
      // Its page may have been left by the tap before.
      if (!isHeld && card.isConnected) call.current(card);
      isHeld = true;
    };
    const listeners = {
      touchstart: (event: TouchEvent) => {
        stop();
        isHeld = false;
        const [card, [touch]] = [cardOf(event), event.touches];
        if (card === null || touch === undefined || event.touches.length > 1) return;
        from = touch;
        timer = setTimeout(() => hold(card), HOLD_MS);
      },
      touchmove: ({ touches: [touch] }: TouchEvent) => {
        if (touch === undefined) return;
        const way = Math.hypot(touch.clientX - from.clientX, touch.clientY - from.clientY);
        if (way > REST_PX) stop();
      },
      touchend: (event: TouchEvent) => {
        stop();
        // The click that would follow is none.
        if (isHeld) event.preventDefault();
      },
      touchcancel: stop,
      contextmenu: (event: MouseEvent) => {
        const { pointerType = "" } = event as PointerEvent;
        const card = cardOf(event);
        const isMouse = pointerType === "mouse" || event.button === 2 || event.ctrlKey;
        if (card === null || isMouse) return;
        event.preventDefault();
        if (pointerType !== "touch") isHeld = false;
        hold(card);
      },
    };
    const ending = new AbortController();
    for (const [type, listener] of Object.entries(listeners))
      document.addEventListener(type, listener as EventListener, {
        signal: ending.signal,
        passive: type !== "touchend" && type !== "contextmenu",
      });
    return () => {
      stop();
      ending.abort();
    };
  }, []);
}

interface Held {
  id: string;
  /** The page on which it was. */
  key: string;
  link: HTMLElement | null;
}

export function CardActions() {
  const { key } = useLocation();
  const isSamePage = useNavigationType() === "REPLACE";
  const [held, setHeld] = useState<Held | null>(null);
  // The way back leaves it, too.
  if (held !== null && held.key !== key) setHeld(isSamePage ? { ...held, key } : null);
  useHeldCard((card) => {
    if (usePreferences.getState().vibrates) navigator.vibrate?.(BUZZ_MS);
    // Of a post, the medium in view.
    const shown = card.querySelector<HTMLElement>("[data-shown]")?.dataset["shown"] ?? "";
    setHeld({ id: shown, key, link: card.querySelector("a") });
  });
  if (held === null || held.key !== key) return null;
  const frame = { onClose: () => setHeld(null), returnFocus: { current: held.link } };
  return <HeldCard key={held.id} id={held.id} {...frame} />;
}

function HeldCard({ id, ...frame }: DialogFrame & { id: string }) {
  const found = useMedia(id);
  // What waits to be sent is on no server yet, so it cannot be shared either.
  const isNone = found.state === "found" ? found.value.pending !== null : found.state !== "loading";
  const { onClose } = frame;
  // Outside: whoever holds it. It must not open by itself later.
  useEffect(() => {
    if (isNone) onClose();
  }, [isNone, onClose]);
  if (isNone || found.state !== "found") return null;
  return <Actions media={found.value} {...frame} />;
}

function Actions({ media, ...frame }: DialogFrame & { media: MediaView }) {
  const { t } = useTranslation();
  const user = useUser();
  const { liked, toggle } = useLike(media);
  const title = media.caption || t("media.untitled");
  const share = () => {
    frame.onClose();
    void shareMedia(media, title);
  };
  const like = () => {
    frame.onClose();
    toggle();
  };
  const report = () => {
    frame.onClose();
    reportWish.set({
      kind: "media",
      id: media.id,
      place: "",
      name: "",
      returnFocus: frame.returnFocus,
    });
  };
  return (
    <Dialog
      {...frame}
      title={<span className="line-clamp-2 wrap-anywhere">{title}</span>}
      description={media.username}
    >
      <div className="-mx-3 -mb-3 grid" data-testid="card-actions">
        <Action testId="card-like" isOn={liked} onClick={like}>
          <Heart className={liked ? "fill-current text-like!" : ""} aria-hidden="true" />
          {t("media.like")}
        </Action>
        <Save mediaId={media.id} onDone={frame.onClose} />
        <Keep media={media} />
        <Action testId="card-share" onClick={share}>
          <Share2 aria-hidden="true" />
          {t("detail.share")}
        </Action>
        {may.reportMedia(user, media) && (
          <Action testId="card-report" onClick={report}>
            <Flag aria-hidden="true" />
            {t("report.open")}
          </Action>
        )}
      </div>
    </Dialog>
  );
}

function Save({ mediaId, onDone }: { mediaId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const { isSaved, toggle } = useSave(mediaId);
  const save = () => {
    onDone();
    toggle();
  };
  return (
    <Action testId="card-save" isOn={isSaved} onClick={save}>
      <Bookmark className={isSaved ? "fill-current" : ""} aria-hidden="true" />
      {t(isSaved ? "saves.saved" : "saves.save")}
    </Action>
  );
}

function Keep({ media }: { media: MediaView }) {
  const { t, i18n } = useTranslation();
  const offline = useKeepOffline(media);
  if (offline === null) return null;
  const { keep, toggle } = offline;
  const isKept = keep.state === "kept";
  const Icon = isKept ? CloudCheck : CloudDownload;
  const size = bytesText(media.fileSize, i18n.language);
  return (
    <Action testId="card-keep" isOn={isKept} onClick={toggle}>
      <Icon aria-hidden="true" />
      {keep.state === "fetching"
        ? t("detail.keeping", { percent: keep.percent })
        : t(isKept ? "detail.kept" : "detail.keep", { size })}
    </Action>
  );
}

interface ActionProps {
  testId: string;
  isOn?: boolean;
  onClick: () => void;
  children: ReactNode;
}

const Action = ({ testId, isOn, onClick, children }: ActionProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    data-testid={testId}
    className="flex min-h-12 items-center gap-3 rounded-xl px-3 text-start hover:bg-surface [&_svg]:size-5 [&_svg]:text-muted"
    onClick={onClick}
  >
    {children}
  </button>
);
