/** The grid while nothing of it is known: the same boxes as index.html shows before any script. */
import { useRef } from "react";
import { useText } from "@/i18n/use-text";
import { Skeleton } from "@/ui/skeleton";
import { useKeepPlace } from "./use-place";

const LANES = [
  ["tall", "flat", "tall"],
  ["flat", "tall", "even"],
] as const;

export function GridSkeleton({ columns }: { columns: 1 | 2 }) {
  const { t } = useText();
  const boxes = useRef<HTMLDivElement>(null);
  useKeepPlace(boxes);
  return (
    <div role="status" data-testid="gallery-loading">
      <span className="sr-only">{t("gallery.loading")}</span>
      <div ref={boxes} className="shell-skeleton" aria-hidden="true" data-columns={columns}>
        {LANES.slice(0, columns).map((lane, i) => (
          <div
            key={lane.join("-")}
            className={`shell-lane ${columns === 1 ? "max-w-[640px] mx-auto" : ""}`}
          >
            {lane.map((shape, j) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: boxes without identity that never move.
              <div key={`${i}-${j}`}>
                <span className={`shell-picture shell-${shape} animate-pulse-soft`} />
                <span className="shell-title">
                  <Skeleton className="shell-line" />
                </span>
                <div className="shell-meta">
                  <span className="shell-face" />
                  <div className="shell-words">
                    <Skeleton className="shell-line short" />
                  </div>
                </div>
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
