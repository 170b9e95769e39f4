/** A chosen file in the form: its picture, its name, how far it is, and what is said of it. */
import { FileWarning, Film, X } from "lucide-react";
import { Tooltip } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode } from "@/domain/error-codes";
import { MB } from "@/domain/limits";
import { fileFaultKey, uploadErrorText } from "@/i18n/error-text";
import { Say, SayText } from "@/i18n/say";
import { hasNoPicture } from "@/lib/video-fault";
import { Progress } from "@/ui/loading";
import { TooLarge } from "./too-large";
import { isBusy, type UploadEntry } from "./upload-entry";
import { DRAGGED_ID } from "./use-reorder";

interface EntryCardProps {
  entry: UploadEntry;
  /** Where it is shown, from 0. */
  place: number;
  isDragged: boolean;
  onRemove: (id: number) => void;
  onShrink: (id: number) => void;
  onStop: (id: number) => void;
  /** This browser has no decoder for the video. */
  onUnseen: (id: number) => void;
  /** Its place among the others, and what changes it. */
  order: ReactNode;
  /** What is said of it. */
  children?: ReactNode;
}

export function EntryCard(props: EntryCardProps) {
  const { entry, place, isDragged, onRemove, onShrink, onStop, onUnseen, order, children } = props;
  const { t, i18n } = useTranslation();
  const { file, phase } = entry;
  const removable = !isBusy(entry) && phase.state !== "uploaded" && phase.state !== "queued";
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)] content-start gap-2 rounded-2xl border bg-raised p-2.5 ${isDragged ? "z-10 border-mark shadow-float select-none" : "border-line"}`}
      style={{ order: place }}
      {...{ [DRAGGED_ID]: entry.id }}
      data-testid="upload-entry"
      data-state={phase.state}
      data-name={file.name}
    >
      {order}
      <div className="flex items-start gap-3">
        <Preview key={entry.preview} entry={entry} onUnseen={() => onUnseen(entry.id)} />
        <div className="min-w-0 flex-1 py-0.5">
          <p className="text-sm font-semibold wrap-anywhere">
            <bdi>{file.name}</bdi>
          </p>
          <p className="text-[0.8125rem] text-muted tabular-nums">
            {t("upload.size", { size: megabytes(entry.size, i18n.language) })}
          </p>
          <EntryState entry={entry} />
        </div>
        {removable && (
          <Tooltip.Root>
            <Tooltip.Trigger
              type="button"
              className="shell-icon -mt-1 -me-1 text-muted"
              aria-label={t("upload.remove", { name: file.name })}
              data-testid="remove-entry"
              onClick={() => onRemove(entry.id)}
            >
              <X aria-hidden="true" />
            </Tooltip.Trigger>
            <Tooltip.Portal>
              <Tooltip.Content
                sideOffset={6}
                collisionPadding={8}
                className="z-50 rounded-lg bg-foreground px-2.5 py-1.5 text-[0.8125rem] text-background shadow-float animate-fade data-[state=closed]:hidden"
              >
                {t("upload.removeHint")}
              </Tooltip.Content>
            </Tooltip.Portal>
          </Tooltip.Root>
        )}
      </div>
      <TooLarge entry={entry} onShrink={onShrink} onStop={onStop} />
      {children}
    </li>
  );
}

const LEAST_SHOWN = 0.01;

/** By language, because to make one costs more than the rest of a card. */
const formats = new Map<string, Intl.NumberFormat>();

/** Two decimals, and never "0.00" for a file that is not empty. */
function megabytes(bytes: number, language: string): string {
  const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const format = formats.get(language) ?? new Intl.NumberFormat(language, twoDecimals);
  formats.set(language, format);
  const size = bytes / MB;
  return bytes > 0 && size < LEAST_SHOWN / 2
    ? `< ${format.format(LEAST_SHOWN)}`
    : format.format(size);
}

/** Of these there is nothing to be seen. */
const WITHOUT_PICTURE: readonly ErrorCode[] = [
  "file_type",
  "file_raw",
  "file_video",
  "file_audio",
  "file_empty",
  "file_missing",
];

/** Not of what has no picture, and of films that cannot be sent only of one that is too large. */
const isShowable = ({ phase }: UploadEntry, isVideo: boolean): boolean =>
  phase.state !== "unfit" ||
  (isVideo ? phase.video !== undefined : !WITHOUT_PICTURE.includes(phase.code));

function Preview({ entry, onUnseen }: { entry: UploadEntry; onUnseen: () => void }) {
  const [broken, setBroken] = useState(false);
  const frame = "size-16 shrink-0 rounded-xl bg-skeleton object-cover";
  const isVideo = entry.file.type.startsWith("video/");
  const isUnfit = entry.phase.state === "unfit";
  const Icon = isVideo && !isUnfit ? Film : FileWarning;
  const fail = () => {
    setBroken(true);
    if (isVideo) onUnseen();
  };
  if (entry.phase.state === "converting" || entry.preview === null)
    return <span className={`${frame} animate-pulse-soft`} />;
  if (broken || entry.preview === "" || !isShowable(entry, isVideo)) {
    return (
      <span className={`${frame} grid place-items-center text-muted`}>
        <Icon className="size-6" aria-hidden="true" />
      </span>
    );
  }
  return isVideo ? (
    <video
      src={`${entry.preview}#t=0.1`}
      muted
      playsInline
      preload="metadata"
      className={frame}
      onError={fail}
      onLoadedData={({ currentTarget }) =>
        void hasNoPicture(currentTarget).then((is) => is && fail())
      }
    />
  ) : (
    <img src={entry.preview} alt="" className={frame} onError={() => setBroken(true)} />
  );
}

const CONVERTED = {
  heic: "upload.fromHeic",
  avif: "upload.fromAvif",
  jxl: "upload.fromJxl",
  tiff: "upload.fromTiff",
  bmp: "upload.fromBmp",
} as const;

function EntryState({ entry }: { entry: UploadEntry }) {
  const { t } = useTranslation();
  const { phase, file } = entry;
  // What no queue holds was never sent: it is this device that has no space.
  const isDeviceFull =
    phase.state === "failed" && phase.code === "storage_full" && entry.queued === null;
  switch (phase.state) {
    case "checking":
      return null;
    case "ready":
      return (
        <div className="text-[0.8125rem] text-muted" data-testid="entry-ready">
          <p>{t(entry.converted === null ? "upload.ready" : CONVERTED[entry.converted])}</p>
          <p role="status" className="text-foreground empty:hidden" data-testid="rarely-plays">
            {entry.rarelyPlays && t("upload.rarelyPlays")}
          </p>
          <p role="status" className="text-foreground empty:hidden" data-testid="entry-missing">
            {entry.missing && t(entry.missing)}
          </p>
        </div>
      );
    case "converting":
    case "shrinking":
    case "preparing":
    case "queued":
    case "uploaded":
      return (
        <p
          role="status"
          className={`text-[0.8125rem] ${phase.state === "uploaded" ? "font-medium text-ok" : "text-muted"}`}
        >
          {t(`upload.${phase.state}`)}
        </p>
      );
    case "unfit":
      return (
        <p
          role="alert"
          className="text-[0.8125rem] font-medium text-danger"
          data-testid="entry-error"
        >
          <Say
            k={phase.code === "storage_full" ? "uploadErrors.deviceFull" : fileFaultKey(phase.code)}
          />
        </p>
      );
    case "uploading":
      return (
        <div className="mt-2">
          <Progress value={phase.progress} label={t("upload.progress", { name: file.name })} />
        </div>
      );
    case "failed":
      return (
        <div
          role="alert"
          className="text-[0.8125rem] font-medium text-danger"
          data-testid="entry-error"
        >
          <p>{t("upload.failed")}</p>
          <p>
            <SayText
              text={
                isDeviceFull
                  ? { key: "uploadErrors.deviceFull" }
                  : uploadErrorText(phase.code, phase.message)
              }
            />
          </p>
        </div>
      );
  }
}
