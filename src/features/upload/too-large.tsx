/** What can be done about files that are too large, at one of them and for all. */
import { Minimize2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LONGEST_VIDEO_MINUTES, type VideoOffer } from "@/domain/what-fits";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/loading";
import { isShrinkable, type UploadEntry, videoEdge } from "./upload-entry";

interface TooLargeProps {
  entry: UploadEntry;
  onShrink: (id: number) => void;
  onStop: (id: number) => void;
}

export function TooLarge({ entry, onShrink, onStop }: TooLargeProps) {
  const { t } = useTranslation();
  const { id, phase } = entry;
  if (phase.state === "shrinking" && phase.progress !== undefined) {
    return <Shrinking name={entry.file.name} progress={phase.progress} onStop={() => onStop(id)} />;
  }
  if (phase.state !== "unfit") return null;
  const edge = videoEdge(entry);
  return (
    <>
      {phase.video && <WhatFits offer={phase.video} />}
      {(edge !== null || isShrinkable(entry)) && (
        <Button width="full" data-testid="shrink" onClick={() => onShrink(id)}>
          <Minimize2 aria-hidden="true" />
          {edge === null ? t("upload.shrink") : t("upload.shrinkVideo", { edge: String(edge) })}
        </Button>
      )}
    </>
  );
}

const WHY_NOT = { not_here: "upload.videoNotHere", missing: "upload.videoMissing" } as const;

function WhatFits({ offer: { fits, way } }: { offer: VideoOffer }) {
  const { t } = useTranslation();
  return (
    <p role="status" className="text-[0.8125rem]" data-testid="what-fits">
      {t("upload.videoFits", { count: fits.minutes, edge: String(fits.edge) })}{" "}
      {way === "too_long" && t("upload.videoTooLong", { count: LONGEST_VIDEO_MINUTES })}
      {(way === "not_here" || way === "missing") && t(WHY_NOT[way])}
    </p>
  );
}

interface ShrinkingProps {
  name: string;
  progress: number;
  onStop: () => void;
}

function Shrinking({ name, progress, onStop }: ShrinkingProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2" data-testid="shrinking-video">
      <Progress value={progress} label={t("upload.shrinkingVideo", { name })} />
      <p className="text-[0.8125rem] text-muted">{t("upload.keepOpen")}</p>
      <Button width="full" data-testid="stop-shrinking" onClick={onStop}>
        {t("upload.stopShrinking")}
      </Button>
    </div>
  );
}

interface ShrinkAllProps {
  entries: readonly UploadEntry[];
  onShrinkAll: () => void;
}

export function ShrinkAll({ entries, onShrinkAll }: ShrinkAllProps) {
  const { t } = useTranslation();
  const count = entries.filter(isShrinkable).length;
  if (count < 2) return null;
  return (
    <Button width="full" data-testid="shrink-all" onClick={onShrinkAll}>
      <Minimize2 aria-hidden="true" />
      {t("upload.shrinkAll", { count })}
    </Button>
  );
}
