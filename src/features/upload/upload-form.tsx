/** Upload (specification §2 /upload, §5, §8). */
import { FileWarning, ImagePlus, Minimize2, X } from "lucide-react";
import { Tooltip } from "radix-ui";
import { type DragEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { CAPTION_MAX, MB } from "@/domain/limits";
import { errorKey, uploadErrorText } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say, SayText } from "@/i18n/say";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { TextareaField, TextField } from "@/ui/field";
import { Progress } from "@/ui/loading";
import { isBusy, type UploadEntry } from "./upload-entry";
import { useUpload } from "./use-upload";

const COUNTER_FROM = CAPTION_MAX - 200;

/** A tooltip's delay, and the time in which the next one shows at once (specification §9). */
const TOOLTIP_MS = { delayDuration: 700, skipDelayDuration: 300 };

interface UploadFormProps {
  userId: string;
  onDone: () => void;
  onCancel: () => void;
}

export function UploadForm({ userId, onDone, onCancel }: UploadFormProps) {
  const { t } = useTranslation();
  const upload = useUpload(userId, onDone);
  const { entries, faults, run } = upload;
  useUnsentText(run !== "ended" && entries.list.some((entry) => entry.queued === null), true);
  return (
    <form
      ref={upload.element}
      noValidate
      className="grid gap-5"
      data-testid="upload-form"
      data-run={run}
      onSubmit={(event) => {
        event.preventDefault();
        upload.submit();
      }}
    >
      <div className="grid gap-3">
        <FilePicker
          onFiles={entries.add}
          disabled={run !== "idle"}
          compact={entries.list.length > 0}
          faulty={faults.files !== undefined}
        />
        {entries.list.length > 0 && (
          <Tooltip.Provider {...TOOLTIP_MS}>
            <ul className="grid gap-2 md:grid-cols-2" aria-label={t("upload.files")}>
              {entries.list.map((entry) => (
                <FileEntry
                  key={entry.id}
                  entry={entry}
                  onRemove={entries.remove}
                  onShrink={entries.shrink}
                />
              ))}
            </ul>
          </Tooltip.Provider>
        )}
        <p role="alert" className="text-[13.5px] font-medium text-danger empty:hidden">
          {faultText(faults.files)}
        </p>
      </div>
      <UploadText upload={upload} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="accent"
          disabled={run !== "idle"}
          data-testid="submit-upload"
          className="flex-1 md:flex-none md:px-8"
        >
          {run === "running" ? t("upload.busy") : t("gallery.upload")}
        </Button>
        <Button data-testid="cancel-upload" onClick={onCancel}>
          {t("app.cancel")}
        </Button>
      </div>
    </form>
  );
}

const faultText = (key: TextKey | undefined): ReactNode => key && <Say k={key} />;

function UploadText({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const { t } = useTranslation();
  const { form, set, faults } = upload;
  return (
    <>
      <TextareaField
        label={t("detail.caption")}
        hint={<CaptionCounter length={form.caption.length} />}
        error={faultText(faults.caption)}
        data-testid="caption"
        value={form.caption}
        onValue={(caption) => set("caption", caption)}
      />
      <TextField
        label={t("detail.tags")}
        hint={t("detail.tagsHint")}
        error={faultText(faults.tags)}
        data-testid="tags"
        dir="auto"
        autoCapitalize="none"
        value={form.tags}
        onValue={(tags) => set("tags", tags)}
      />
      <Checkbox
        testId="rights"
        checked={form.rights}
        onChange={(checked) => set("rights", checked)}
        error={faultText(faults.rights)}
      >
        {t("upload.rights")}
      </Checkbox>
    </>
  );
}

function CaptionCounter({ length }: { length: number }) {
  const { t } = useTranslation();
  if (length < COUNTER_FROM) return null;
  return (
    <span className={length > CAPTION_MAX ? "text-danger" : ""} data-testid="caption-counter">
      {length > CAPTION_MAX
        ? t("upload.captionOver", { count: length - CAPTION_MAX })
        : t("upload.captionLeft", { count: CAPTION_MAX - length })}
    </span>
  );
}

interface FilePickerProps {
  onFiles: (files: File[]) => void;
  disabled: boolean;
  compact: boolean;
  faulty: boolean;
}

function FilePicker({ onFiles, disabled, compact, faulty }: FilePickerProps) {
  const { t } = useTranslation();
  const id = useId();
  const [over, setOver] = useState(false);
  usePaste(disabled ? null : onFiles);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) onFiles([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input inside is the first.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      data-testid="drop-zone"
      className={`relative rounded-[20px] border-2 border-dashed text-center transition-colors focus-within:border-foreground ${over ? "border-accent bg-surface" : faulty ? "border-danger" : "border-line-strong"} ${compact ? "p-4" : "px-6 py-12"}`}
    >
      <input
        id={id}
        type="file"
        multiple
        accept="image/*,video/*"
        disabled={disabled}
        aria-invalid={faulty}
        data-testid="file-input"
        className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <label htmlFor={id} className="pointer-events-none grid justify-items-center gap-1">
        {!compact && (
          <span
            aria-hidden="true"
            className="mb-2 grid size-14 place-items-center rounded-full bg-accent text-on-accent"
          >
            <ImagePlus className="size-6" />
          </span>
        )}
        <span className="font-semibold">{t("upload.choose")}</span>
        <span className="text-sm text-muted">{t("upload.dropHint")}</span>
        {!compact && <span className="mt-2 text-[13px] text-muted">{t("upload.limits")}</span>}
      </label>
    </div>
  );
}

function usePaste(onFiles: ((files: File[]) => void) | null): void {
  // Outside: the clipboard, which belongs to the whole page.
  useEffect(() => {
    if (onFiles === null) return;
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, [onFiles]);
}

interface FileEntryProps {
  entry: UploadEntry;
  onRemove: (id: number) => void;
  onShrink: (id: number) => void;
}

function FileEntry({ entry, onRemove, onShrink }: FileEntryProps) {
  const { t } = useTranslation();
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
        <Tooltip.Root>
          <Tooltip.Trigger
            type="button"
            className="shell-icon -mt-1 -mr-1 text-muted"
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
              className="z-50 rounded-lg bg-foreground px-2.5 py-1.5 text-[13px] text-background shadow-float animate-fade"
            >
              {t("upload.removeHint")}
            </Tooltip.Content>
          </Tooltip.Portal>
        </Tooltip.Root>
      )}
    </li>
  );
}

/** Two decimals, and never "0.00" for a file that is not empty. */
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
  const { t } = useTranslation();
  const { phase, file } = entry;
  switch (phase.state) {
    case "checking":
      return null;
    case "ready":
      return <p className="text-[13px] text-muted">{t("upload.ready")}</p>;
    case "shrinking":
    case "preparing":
    case "queued":
    case "uploaded":
      return (
        <p
          role="status"
          className={`text-[13px] ${phase.state === "uploaded" ? "font-medium text-ok" : "text-muted"}`}
        >
          {t(`upload.${phase.state}`)}
        </p>
      );
    case "unfit":
      return (
        <p role="alert" className="text-[13px] font-medium text-danger" data-testid="entry-error">
          <Say k={errorKey(phase.code)} />
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
        <div role="alert" className="text-[13px] font-medium text-danger" data-testid="entry-error">
          <p>{t("upload.failed")}</p>
          <p>
            <SayText text={uploadErrorText(phase.code, phase.message)} />
          </p>
        </div>
      );
  }
}
