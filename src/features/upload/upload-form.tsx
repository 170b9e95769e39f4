/** Upload (specification §2 /upload, §5, §8). */
import { ImagePlus } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { EntryList } from "./entry-list";
import { ShrinkAll } from "./too-large";
import { CommonTexts, faultText } from "./upload-texts";
import { type UploadFormProps, useUpload } from "./use-upload";

export function UploadForm(props: UploadFormProps) {
  const { t } = useTranslation();
  const upload = useUpload(props);
  const { entries, faults, run } = upload;
  useUnsentText(run !== "ended" && entries.list.some((entry) => entry.queued === null), true);
  return (
    <form
      ref={upload.element}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      data-testid="upload-form"
      data-run={run}
      onSubmit={(event) => {
        event.preventDefault();
        upload.submit();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <FilePicker
          onFiles={upload.addFiles}
          disabled={run !== "idle"}
          compact={entries.list.length > 0}
          faulty={faults.files !== undefined}
        />
        {entries.list.length > 0 && <EntryList upload={upload} />}
        <ShrinkAll entries={entries.list} onShrinkAll={entries.shrinkAll} />
        <p role="alert" className="text-[0.84375rem] font-medium text-danger empty:hidden">
          {faults.files === "errors.file_missing" && <b className="block">{t("upload.noFiles")}</b>}
          {faultText(faults.files)}
        </p>
      </div>
      <CommonTexts upload={upload} />
      <Rights upload={upload} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="accent"
          disabled={run !== "idle"}
          data-testid="submit-upload"
          className="flex-1 shrink! md:flex-none md:px-8"
        >
          {run === "running" ? t("upload.busy") : t("gallery.upload")}
        </Button>
        <Button data-testid="cancel-upload" onClick={upload.cancel}>
          {t("app.cancel")}
        </Button>
      </div>
    </form>
  );
}

function Rights({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const { t } = useTranslation();
  const { form, set, faults } = upload;
  return (
    <Checkbox
      testId="rights"
      checked={form.rights}
      onChange={(checked) => set("rights", checked)}
      error={
        faults.rights && (
          <>
            <b className="block">{t("upload.termsNotAccepted")}</b>
            <Say k={faults.rights} />
          </>
        )
      }
    >
      {t("upload.rights")}{" "}
      <Link
        to={paths.terms}
        target="_blank"
        className="font-semibold text-link underline underline-offset-3"
      >
        {t("upload.rightsTerms")}
      </Link>
      {t("upload.rightsEnd")}
    </Checkbox>
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
      className={`relative rounded-[20px] border-2 border-dashed text-center transition-colors focus-within:border-foreground focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus) ${over ? "border-accent bg-surface" : faulty ? "border-danger" : "border-line-strong"} ${compact ? "p-4" : "px-6 py-12"}`}
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
        {!compact && <span className="mt-2 text-[0.8125rem] text-muted">{t("upload.limits")}</span>}
      </label>
    </div>
  );
}
