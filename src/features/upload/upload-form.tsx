/** Upload (specification §2 /upload, §5, §8). */
import type { ReactNode } from "react";
import { CAPTION_MAX } from "@/domain/limits";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { Input, Textarea } from "@/ui/input";
import { TooltipProvider } from "@/ui/tooltip";
import { FileEntry } from "./file-entry";
import { FilePicker } from "./file-picker";
import { useUpload } from "./use-upload";

/** The counter appears when it begins to matter. */
const COUNTER_FROM = CAPTION_MAX - 200;

interface UploadFormProps {
  userId: string;
  onDone: () => void;
  onCancel: () => void;
}

export function UploadForm({ userId, onDone, onCancel }: UploadFormProps) {
  const { t } = useText();
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
          <TooltipProvider>
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
          </TooltipProvider>
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
          {run === "running" ? t("upload.busy") : t("upload.submit")}
        </Button>
        <Button data-testid="cancel-upload" onClick={onCancel}>
          {t("upload.cancel")}
        </Button>
      </div>
    </form>
  );
}

const faultText = (key: TextKey | undefined): ReactNode => key && <Say k={key} />;

function UploadText({ upload }: { upload: ReturnType<typeof useUpload> }) {
  const { t } = useText();
  const { form, set, faults } = upload;
  return (
    <>
      <Field
        label={t("upload.caption")}
        hint={<CaptionCounter length={form.caption.length} />}
        error={faultText(faults.caption)}
      >
        {(control) => (
          <Textarea
            {...control}
            data-testid="caption"
            value={form.caption}
            onChange={(event) => set("caption", event.target.value)}
          />
        )}
      </Field>
      <Field label={t("upload.tags")} hint={t("upload.tagsHint")} error={faultText(faults.tags)}>
        {(control) => (
          <Input
            {...control}
            data-testid="tags"
            dir="auto"
            autoCapitalize="none"
            value={form.tags}
            onChange={(event) => set("tags", event.target.value)}
          />
        )}
      </Field>
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
  const { t } = useText();
  if (length < COUNTER_FROM) return null;
  return (
    <span className={length > CAPTION_MAX ? "text-danger" : ""} data-testid="caption-counter">
      {length > CAPTION_MAX
        ? t("upload.captionOver", { count: length - CAPTION_MAX })
        : t("upload.captionLeft", { count: CAPTION_MAX - length })}
    </span>
  );
}
