/** Changes the text of an own comment, also offline. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommentView } from "@/data/comments/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { COMMENT_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { editComment } from "@/state/media";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Dialog, type DialogFrame } from "@/ui/dialog";
import { TextareaField } from "@/ui/field";

export function EditComment({ comment, ...frame }: DialogFrame & { comment: CommentView }) {
  const { t } = useTranslation();
  const [text, setText] = useState(comment.text);
  const isChanged = text.trim() !== comment.text;
  const fault = faultOf(text);
  useUnsentText(isChanged);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (fault !== null) return;
    if (!isChanged || (await editComment(comment, text))) frame.onClose();
  };
  return (
    <Dialog {...frame} title={t("comments.editTitle")}>
      <form
        className="grid gap-4"
        onSubmit={(event) => void submit(event)}
        data-testid="edit-comment-form"
      >
        <TextareaField
          label={t("comments.label")}
          value={text}
          error={fault && <Say k={errorKey(fault)} />}
          data-words=""
          data-testid="edit-comment-text"
          onValue={setText}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={frame.onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="accent" data-testid="save-comment">
            {t("app.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function faultOf(text: string): ErrorCode | null {
  if (isBlank(text)) return "text_empty";
  return text.trim().length > COMMENT_MAX ? "text_long" : null;
}
