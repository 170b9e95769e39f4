/** Writes a comment, or a reply to one. */
import { SendHorizontal } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CommentView } from "@/data/comments/shapes";
import { COMMENT_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { addComment } from "@/state/media";
import { useUser } from "@/state/session";
import { commentDraft, useDraft } from "@/state/unsent-text";
import { Button } from "@/ui/button";
import { Textarea } from "@/ui/field";

/** The counter shows from this many characters left. */
const COUNTER_FROM = 200;

type Answered = Pick<CommentView, "id" | "parentId" | "username">;

interface CommentFormProps {
  mediaId: string;
  /** What it replies to. Of a reply, the reply is to the comment that this one answers, by name. */
  to?: Answered | undefined;
  /** Called once a text is kept. */
  onSent?: () => void;
}

export function CommentForm({ mediaId, to, onSent }: CommentFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const isReply = to !== undefined;
  const userId = useUser()?.id ?? "";
  const parentId = to?.parentId || (to?.id ?? "");
  const about = parentId || mediaId;
  const draft = useMemo(() => commentDraft(userId, about), [userId, about]);
  const {
    text,
    setText,
    send: queue,
  } = useDraft(draft, async (wanted) => {
    const isKept = await addComment(mediaId, wanted, parentId);
    if (isKept) onSent?.();
    return isKept;
  });
  useFocus(field, to, { text, setText });
  const left = COMMENT_MAX - text.trim().length;
  const ready = !isBlank(text) && left >= 0;
  const prompt = isReply ? t("comments.replyTo", { name: to.username }) : t("comments.placeholder");
  const send = async () => {
    if (ready) await queue();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5"
      data-testid={isReply ? "reply-form" : "comment-form"}
    >
      <label htmlFor={id} className="sr-only">
        {isReply ? prompt : t("comments.label")}
      </label>
      <div className="relative flex items-end gap-2">
        <Textarea
          id={id}
          rows={1}
          value={text}
          ref={field}
          placeholder={prompt}
          aria-invalid={left < 0}
          aria-describedby={`${id}-left`}
          data-words=""
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
        className={`ps-3.5 text-[0.8125rem] tabular-nums empty:hidden ${left < 0 ? "font-medium text-danger" : "text-muted"}`}
      >
        {left < 0
          ? t("upload.captionOver", { count: -left })
          : left <= COUNTER_FROM && t("upload.captionLeft", { count: left })}
      </p>
    </form>
  );
}

interface Words {
  text: string;
  setText: (text: string) => void;
}

/** The focus follows whoever asked to reply, and a reply to a reply begins with a name. */
function useFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  to: Answered | undefined,
  { text, setText }: Words,
): void {
  // Outside: the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each comment replied to.
  useEffect(() => {
    if (to === undefined) return;
    const name = `@${to.username}`;
    if (to.parentId !== "" && !text.includes(name)) setText(`${name} ${text}`);
    field.current?.focus();
  }, [to?.id]);
}
