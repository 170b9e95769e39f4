/** Writing a comment (specification §5: nothing that is empty after trimming). What is sent stands in the list at once. */
import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { COMMENT_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { useText } from "@/i18n/use-text";
import { addComment } from "@/state/comments";
import { useUnsentText } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Textarea } from "@/ui/input";

/** From here on the counter shows. */
const COUNTER_FROM = 200;

export function CommentForm({ mediaId }: { mediaId: string }) {
  const { t } = useText();
  const id = useId();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const left = COMMENT_MAX - text.trim().length;
  const ready = !isBlank(text) && left >= 0 && !busy;
  useUnsentText(!isBlank(text));

  const send = async () => {
    if (!ready) return;
    setBusy(true);
    setText("");
    let isKept = false;
    try {
      isKept = await addComment(mediaId, text);
    } finally {
      setBusy(false);
      // Where there was no room for it, it goes back into the box, before what was typed meanwhile.
      if (!isKept) setText((typed) => [text, typed].filter(Boolean).join("\n"));
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  };
  return (
    <form
      onSubmit={onSubmit}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5"
      data-testid="comment-form"
    >
      <label htmlFor={id} className="sr-only">
        {t("comments.label")}
      </label>
      <div className="flex items-end gap-2">
        <Textarea
          id={id}
          rows={1}
          value={text}
          placeholder={t("comments.placeholder")}
          aria-invalid={left < 0}
          aria-describedby={`${id}-left`}
          data-testid="comment-text"
          className="max-h-60 min-h-12! min-w-0 flex-1 resize-none [overflow-wrap:anywhere] rounded-[22px]! py-[11px]! [field-sizing:content]"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          variant="accent"
          aria-label={t("comments.send")}
          title={t("comments.send")}
          aria-disabled={!ready}
          data-testid="send-comment"
          className="size-12 shrink-0 px-0!"
        >
          <SendHorizontal aria-hidden="true" />
        </Button>
      </div>
      <p
        id={`${id}-left`}
        aria-live="polite"
        data-testid="comment-left"
        className={`pl-3.5 text-[13px] tabular-nums empty:hidden ${left < 0 ? "font-medium text-danger" : "text-muted"}`}
      >
        {left < 0
          ? t("comments.over", { count: -left })
          : left <= COUNTER_FROM && t("comments.left", { count: left })}
      </p>
    </form>
  );
}
