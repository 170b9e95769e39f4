/** Edits caption, tags and description of an own media item, also offline. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MediaChanges, MediaView } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { ALT_MAX, CAPTION_MAX } from "@/domain/limits";
import { parseTags, tagsFault } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { changeMedia } from "@/state/media";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";
import { TextareaField, TextField } from "@/ui/field";

type Draft = Record<"caption" | "tags" | "alt", string>;

export function EditMedia({ media, ...frame }: DialogFrame & { media: MediaView }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>({
    caption: media.caption,
    tags: media.tags.join(", "),
    alt: media.alt,
  });
  const changes = changesOf(media, draft);
  const faults = faultsOf(draft);
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
    if (!changed || (await changeMedia(media.id, changes))) frame.onClose();
  };
  return (
    <Dialog {...frame} title={t("detail.edit")}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)} data-testid="edit-form">
        <TextareaField label={t("detail.caption")} {...bound("caption")} />
        <TextField
          label={t("detail.tags")}
          hint={t("detail.tagsHint")}
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
