/**
 * Pulling a page down at its top asks the server for what is new: for windows whose browser has no
 * such gesture of its own, which are those of an installed app on iOS.
 */
import { RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { clientCell, whenClient } from "@/state/client-store";
import { showFailure } from "@/state/toasts";

/** So far the finger moves until letting go of it asks, pixels. */
const FAR_PX = 120;

/** Apple's browsers alone say this of a window. */
export const hasNoGesture = (): boolean =>
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

/** What scrolls by itself, or lies over the page, takes the movement. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector("[data-scrim], [data-full='true']") !== null) return true;
  for (let one = target instanceof Element ? target : null; one; one = one.parentElement) {
    if (one === document.body) break;
    const { overflowY, touchAction } = getComputedStyle(one);
    const isLonger = one.scrollHeight > one.clientHeight;
    if (touchAction === "none" || (isLonger && /auto|scroll/.test(overflowY))) return true;
  }
  return false;
}

async function refresh(): Promise<void> {
  if (clientCell.getSnapshot().state === "failed") return showFailure("app.offline");
  const result = await (await whenClient()).sync();
  if (!result.success) showFailure(result.error === "network" ? "app.offline" : "app.serverFault");
}

export function PullToRefresh() {
  const { t } = useTranslation();
  /** From 0 to 1, where it is far enough. */
  const [pulled, setPulled] = useState(0);
  const [isAsking, setAsking] = useState(false);
  // Outside: the fingers on the page.
  useEffect(() => {
    let from: number | null = null;
    let part = 0;
    let isBusy = false;
    const show = (next: number) => {
      part = next;
      setPulled(next);
    };
    const listeners = {
      touchstart: ({ touches, target }: TouchEvent) => {
        const isPull = touches.length === 1 && window.scrollY <= 0 && !isTaken(target);
        from = isPull ? (touches[0]?.clientY ?? null) : null;
      },
      touchmove: ({ touches: [touch] }: TouchEvent) => {
        if (from === null || touch === undefined) return;
        if (window.scrollY > 0) from = null;
        show(from === null ? 0 : Math.min(1, Math.max(0, (touch.clientY - from) / FAR_PX)));
      },
      touchend: () => {
        if (from !== null && part === 1 && !isBusy) {
          isBusy = true;
          setAsking(true);
          void refresh().finally(() => {
            isBusy = false;
            setAsking(false);
          });
        }
        from = null;
        show(0);
      },
      touchcancel: () => {
        from = null;
        show(0);
      },
    };
    const ending = new AbortController();
    for (const [type, listener] of Object.entries(listeners))
      document.addEventListener(type, listener as EventListener, {
        signal: ending.signal,
        passive: true,
      });
    return () => ending.abort();
  }, []);
  const way = isAsking ? 1 : pulled;
  return (
    <div role="status" data-testid="pull-to-refresh" data-asking={isAsking}>
      {isAsking && <span className="sr-only">{t("app.loading")}</span>}
      {way > 0 && (
        <span
          data-passing=""
          className="pointer-events-none fixed inset-x-0 top-[calc(8px+env(safe-area-inset-top))] z-30 mx-auto grid size-10 place-items-center rounded-full border border-line bg-raised text-muted shadow-float"
          style={{
            opacity: way,
            transform: `translateY(${Math.round(way * 56)}px) rotate(${Math.round(way * 270)}deg)`,
          }}
        >
          <RefreshCw className={isAsking ? "size-5 animate-spin" : "size-5"} aria-hidden="true" />
        </span>
      )}
    </div>
  );
}
