/** One chosen file: preview, name, size, state, and what can be done about it. */
import { FileWarning, Minimize2, X } from "lucide-react";
import { useState } from "react";
import { MB } from "@/domain/limits";
import { errorKey, uploadErrorText } from "@/i18n/error-text";
import { Say, SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";
import { Progress } from "@/ui/progress";
import { Tooltip } from "@/ui/tooltip";
import { isBusy, type UploadEntry } from "./upload-entry";

interface FileEntryProps {
  entry: UploadEntry;
  onRemove: (id: number) => void;
  onShrink: (id: number) => void;
}

export function FileEntry({ entry, onRemove, onShrink }: FileEntryProps) {
  const { t } = useText();
  const { file, phase } = entry;
  const removable = !isBusy(entry) && phase.state !== "uploaded" && phase.state !== "queued";
  return (
    <li
      className="flex items-start gap-3 rounded-2xl border border-line bg-raised p-2.5"
      data-testid="upload-entry"
      data-state={phase.state}
      data-name={file.name}
    >
      <Preview entry={entry} />
      <div className="min-w-0 flex-1 py-0.5">
        <p className="truncate text-sm font-semibold">{file.name}</p>
        <p className="text-[13px] text-muted tabular-nums">
          {t("upload.size", { size: megabytes(entry.size) })}
        </p>
        <EntryState entry={entry} />
        {phase.state === "unfit" && phase.code === "image_too_large" && (
          <Button className="mt-2" data-testid="shrink" onClick={() => onShrink(entry.id)}>
            <Minimize2 aria-hidden="true" />
            {t("upload.shrink")}
          </Button>
        )}
      </div>
      {removable && (
        <Tooltip text={t("upload.removeHint")}>
          <button
            type="button"
            className="shell-icon -mt-1 -mr-1 text-muted"
            aria-label={t("upload.remove", { name: file.name })}
            data-testid="remove-entry"
            onClick={() => onRemove(entry.id)}
          >
            <X aria-hidden="true" />
          </button>
        </Tooltip>
      )}
    </li>
  );
}

/** Two decimals, and never "0.00" for a file that has something in it. */
function megabytes(bytes: number): string {
  const shown = (bytes / MB).toFixed(2);
  return bytes > 0 && shown === "0.00" ? "< 0.01" : shown;
}

function Preview({ entry }: { entry: UploadEntry }) {
  const [broken, setBroken] = useState(false);
  const frame = "size-16 shrink-0 rounded-xl bg-skeleton object-cover";
  const isVideo = entry.file.type.startsWith("video/");
  if (broken || (entry.phase.state === "unfit" && entry.phase.code === "file_type")) {
    return (
      <span className={`${frame} grid place-items-center text-muted`}>
        <FileWarning className="size-6" aria-hidden="true" />
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
      onError={() => setBroken(true)}
    />
  ) : (
    <img src={entry.preview} alt="" className={frame} onError={() => setBroken(true)} />
  );
}

function EntryState({ entry }: { entry: UploadEntry }) {
  const { t } = useText();
  const { phase, file } = entry;
  switch (phase.state) {
    case "checking":
      return null;
    case "ready":
      return <p className="text-[13px] text-muted">{t("upload.ready")}</p>;
    case "unfit":
      return (
        <p role="alert" className="text-[13px] font-medium text-danger" data-testid="entry-error">
          <Say k={errorKey(phase.code)} />
        </p>
      );
    case "shrinking":
      return (
        <p role="status" className="text-[13px] text-muted">
          {t("upload.shrinking")}
        </p>
      );
    case "preparing":
      return (
        <p role="status" className="text-[13px] text-muted">
          {t("upload.preparing")}
        </p>
      );
    case "uploading":
      return (
        <div className="mt-2">
          <Progress value={phase.progress} label={t("upload.progress", { name: file.name })} />
        </div>
      );
    case "queued":
      return (
        <p role="status" className="text-[13px] text-muted">
          {t("upload.queued")}
        </p>
      );
    case "uploaded":
      return (
        <p role="status" className="text-[13px] font-medium text-ok">
          {t("upload.uploaded")}
        </p>
      );
    case "failed":
      return (
        <div role="alert" className="text-[13px] font-medium text-danger" data-testid="entry-error">
          <p>{t("upload.failed")}</p>
          <p>
            <SayText text={uploadErrorText(phase.code, phase.message)} />
          </p>
        </div>
      );
  }
}
