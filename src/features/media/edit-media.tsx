/** Edits the texts of an own media item and the subtitles of a video, also offline. */
import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MediaChanges, MediaView, Subtitles } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { ALT_MAX, CAPTION_MAX } from "@/domain/limits";
import { SUBTITLES_MAX, subtitlesFault, subtitlesName, webVttOf } from "@/domain/subtitles";
import { parseTags, repeatedTags, tagsFault } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { changeMedia, usePost } from "@/state/media";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Dialog, type DialogFrame } from "@/ui/dialog";
import { FieldError, TextareaField, TextField } from "@/ui/field";

type Draft = Record<"caption" | "tags" | "alt", string>;

export function EditMedia({ media, ...frame }: DialogFrame & { media: MediaView }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>({
    caption: media.caption,
    tags: media.tags.join(", "),
    alt: media.alt,
  });
  const [subtitles, setSubtitles] = useState<Subtitles | null>(null);
  const [isClosed, setClosed] = useState(media.commentsClosed);
  const members = usePost(media.post);
  const changes = {
    ...changesOf(media, draft),
    ...(subtitles && { subtitles }),
    ...(isClosed !== media.commentsClosed && { commentsClosed: isClosed }),
  };
  const faults = faultsOf(draft);
  const twice = repeatedTags(draft.tags);
  useUnsentText(Object.keys(changes).length > 0);
  const bound = (field: keyof Draft) => ({
    value: draft[field],
    error: faults[field] && <Say k={errorKey(faults[field])} />,
    "data-testid": `edit-${field}`,
    onValue: (value: string) => setDraft((now) => ({ ...now, [field]: value })),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(faults).length > 0) return;
    const changed = Object.keys(changes).length > 0;
    if (!changed || (await changeMedia(media.id, changes, members))) frame.onClose();
  };
  return (
    <Dialog {...frame} title={t("detail.edit")}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)} data-testid="edit-form">
        {members.length > 0 && (
          <p className="text-sm text-muted" data-testid="edit-post">
            {t("detail.editPost")}
          </p>
        )}
        <TextareaField label={t("detail.caption")} {...bound("caption")} data-words="" />
        <TextField
          label={t("detail.tags")}
          hint={
            twice.length > 0
              ? t("upload.tagsTwice", { tags: twice.join(", ") })
              : t("detail.tagsHint")
          }
          dir="auto"
          autoCapitalize="none"
          {...bound("tags")}
        />
        <TextareaField
          label={t("detail.alt")}
          hint={t("detail.altHint")}
          className="min-h-20!"
          {...bound("alt")}
        />
        {media.type === "video" && (
          <SubtitlesField stored={media.hasSubtitles} draft={subtitles} onChange={setSubtitles} />
        )}
        <Checkbox checked={isClosed} onChange={setClosed} testId="close-comments">
          {t("detail.closeComments")}
        </Checkbox>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={frame.onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="accent" data-testid="save-edit">
            {t("app.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface SubtitlesFieldProps {
  stored: boolean;
  /** What saving will change: an empty text removes them. Null: nothing. */
  draft: Subtitles | null;
  onChange: (draft: Subtitles | null) => void;
}

function SubtitlesField({ stored, draft, onChange }: SubtitlesFieldProps) {
  const { t } = useTranslation();
  const chosen = draft !== null && draft.text !== "";
  const there = chosen || (stored && draft === null);
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<ErrorCode | null>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    target.value = "";
    if (file === undefined) return;
    const read = await readSubtitles(file);
    setFault(typeof read === "string" ? read : null);
    if (typeof read !== "string") onChange(read);
  };
  return (
    <fieldset className="grid gap-1.5" aria-describedby="subtitles-hint subtitles-fault">
      <legend className="mb-1.5 text-sm font-semibold">{t("detail.subtitles")}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => input.current?.click()} data-testid="choose-subtitles">
          {t(there ? "detail.subtitlesReplace" : "detail.subtitlesAdd")}
        </Button>
        {there && (
          <Button
            onClick={() => {
              setFault(null);
              // A file that was just chosen is taken back; what is stored is removed.
              onChange(chosen ? null : { text: "", name: "" });
            }}
            data-testid="remove-subtitles"
          >
            {t("detail.subtitlesRemove")}
          </Button>
        )}
        <span role="status" className="text-[0.8125rem] text-muted" data-testid="subtitles-state">
          {there && t(chosen ? "detail.subtitlesChosen" : "detail.subtitlesThere")}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        accept=".vtt,.srt,text/vtt,application/x-subrip"
        hidden
        tabIndex={-1}
        aria-label={t("detail.subtitles")}
        data-testid="subtitles-input"
        onChange={(event) => void choose(event)}
      />
      <p id="subtitles-hint" className="text-[0.8125rem] text-muted">
        {t("detail.subtitlesHint")}
      </p>
      <FieldError id="subtitles-fault">
        {fault && t(fault === "text_long" ? "detail.subtitlesLong" : "detail.subtitlesWrong")}
      </FieldError>
    </fieldset>
  );
}

async function readSubtitles(file: File): Promise<Subtitles | ErrorCode> {
  // Four bytes for each character, at most; not read into memory beyond that.
  if (file.size > 4 * SUBTITLES_MAX) return "text_long";
  try {
    const bytes = await file.arrayBuffer();
    const text = webVttOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return subtitlesFault(text) ?? { text, name: subtitlesName(await digestOf(text)) };
  } catch {
    // Not UTF-8, or the file is gone.
    return "file_type";
  }
}

/** "" on an address without TLS, where browsers have no digests. */
async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text));
  if (digest === undefined) return "";
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends only what differs, so that a change made elsewhere in the meantime is not undone. */
function changesOf(media: Pick<MediaView, "caption" | "tags" | "alt">, draft: Draft): MediaChanges {
  const tags = parseTags(draft.tags);
  const sameTags =
    tags.length === media.tags.length && tags.every((tag, i) => tag === media.tags[i]);
  return {
    ...(draft.caption.trim() === media.caption.trim() ? {} : { caption: draft.caption.trim() }),
    ...(sameTags ? {} : { tags }),
    ...(draft.alt.trim() === media.alt.trim() ? {} : { alt: draft.alt.trim() }),
  };
}

function faultsOf(draft: Draft): Partial<Record<keyof Draft, ErrorCode>> {
  const tags = tagsFault(parseTags(draft.tags));
  return {
    ...(draft.caption.trim().length > CAPTION_MAX && { caption: "caption_long" as const }),
    ...(tags !== null && { tags }),
    ...(draft.alt.trim().length > ALT_MAX && { alt: "text_long" as const }),
  };
}
