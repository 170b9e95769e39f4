/** Where files come in: picked, dropped or pasted. */
import { ImagePlus } from "lucide-react";
import { type DragEvent, useEffect, useId, useState } from "react";
import { useText } from "@/i18n/use-text";

interface FilePickerProps {
  onFiles: (files: File[]) => void;
  disabled: boolean;
  compact: boolean;
  faulty: boolean;
}

export function FilePicker({ onFiles, disabled, compact, faulty }: FilePickerProps) {
  const { t } = useText();
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
