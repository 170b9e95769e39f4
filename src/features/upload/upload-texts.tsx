/** What is said of the files: caption and tags of all together or of each, and its description. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CAPTION_MAX, POST_MAX } from "@/domain/limits";
import { repeatedTags } from "@/domain/texts";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { Checkbox } from "@/ui/checkbox";
import { TextareaField, TextField } from "@/ui/field";
import { textsOf, type UploadEntry } from "./upload-entry";
import { countForPost, type OwnTexts, type useUpload } from "./use-upload";

type Upload = ReturnType<typeof useUpload>;

const COUNTER_FROM = CAPTION_MAX - 200;

/** A field of one line, which grows with what is written. */
const GROWING = "min-h-12! max-h-60 field-sizing-content";

export const faultText = (key: TextKey | undefined): ReactNode => key && <Say k={key} />;

/** Whether the files become one post, and caption and tags for all, unless each has its own. */
export function CommonTexts({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const { entries, form, isPost, run, set, faults } = upload;
  const count = countForPost(entries.list);
  return (
    <>
      {count > 1 && (
        <Checkbox
          testId="together"
          checked={isPost}
          onChange={(together) => set("together", together)}
          disabled={count > POST_MAX || run !== "idle"}
        >
          {t("upload.together")}
          <span className="block text-[0.8125rem] text-muted">{t("upload.togetherHint")}</span>
        </Checkbox>
      )}
      {(entries.list.length > 1 || form.each) && !isPost && (
        <Checkbox
          testId="same-for-all"
          checked={!form.each}
          onChange={(same) => set("each", !same)}
        >
          {t("upload.sameForAll")}
        </Checkbox>
      )}
      {!form.each && (
        <>
          <TextareaField
            label={t("detail.caption")}
            hint={<CaptionCounter length={form.caption.length} />}
            error={faultText(faults.caption)}
            data-words=""
            data-testid="caption"
            value={form.caption}
            onValue={(caption) => set("caption", caption)}
          />
          <TextField
            label={t("detail.tags")}
            hint={<TagsHint tags={form.tags} />}
            error={faultText(faults.tags)}
            data-testid="tags"
            dir="auto"
            autoCapitalize="none"
            value={form.tags}
            onValue={(tags) => set("tags", tags)}
          />
        </>
      )}
    </>
  );
}

/** Of one file: its caption and tags where each has its own, and always its description. */
export function EntryTexts({ upload, entry }: { upload: Upload; entry: UploadEntry }) {
  const { t } = useTranslation();
  const { form, setOwn } = upload;
  const faults = upload.ownFaults.get(entry.id) ?? {};
  const texts = textsOf(entry, form);
  const isVideo = entry.file.type.startsWith("video/");
  const bound = (field: keyof OwnTexts) => ({
    label: <Of label={t(`detail.${field}`)} entry={entry} />,
    error: faultText(faults[field]),
    "data-testid": `entry-${field}`,
    dir: "auto",
    value: texts[field],
    onValue: (text: string) => setOwn(entry.id, field, text),
  });
  return (
    <div className="grid gap-3 pt-1">
      {form.each && (
        <>
          <TextareaField
            {...bound("caption")}
            data-words=""
            className={GROWING}
            rows={1}
            hint={<CaptionCounter length={texts.caption.length} />}
          />
          <TextField
            {...bound("tags")}
            autoCapitalize="none"
            hint={<TagsHint tags={texts.tags} />}
          />
        </>
      )}
      <TextareaField
        {...bound("alt")}
        className={GROWING}
        rows={1}
        hint={t(isVideo ? "upload.altVideo" : "upload.altPhoto")}
      />
    </div>
  );
}

/** "Caption", and for whoever does not see at which file it stands: of which one. */
function Of({ label, entry }: { label: string; entry: UploadEntry }) {
  const { t } = useTranslation();
  return (
    <>
      {label}
      <span className="sr-only">{t("upload.ofFile", { name: entry.file.name })}</span>
    </>
  );
}

/** How tags are written, and which of them were written twice. */
function TagsHint({ tags }: { tags: string }) {
  const { t } = useTranslation();
  const twice = repeatedTags(tags);
  return (
    <>
      {t("detail.tagsHint")}
      <span role="status" data-testid="tags-twice" className="block text-foreground empty:hidden">
        {twice.length > 0 && t("upload.tagsTwice", { tags: twice.join(", ") })}
      </span>
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
