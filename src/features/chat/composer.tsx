/** The text field of a conversation: Enter sends, Shift-Enter breaks the line, drafts survive. */
import { Camera, ImagePlus, SendHorizontal } from "lucide-react";
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { useTranslation } from "react-i18next";
import { MESSAGE_MAX } from "@/domain/limits";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { sendText } from "@/state/chat";
import { chatDraft, useDraft } from "@/state/unsent-text";

const TALLEST_PX = 148;
/** Then no key has to wait for a layout. */
const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content");

interface ComposerProps {
  userId: string;
  conversationId: string;
  disabled: boolean;
  /** Why the last file was not taken. */
  fault: TextKey | null;
  onPhoto: (file: File | undefined) => void;
}

export function Composer(props: ComposerProps) {
  const { userId, conversationId, disabled, fault, onPhoto } = props;
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useMemo(() => chatDraft(userId, conversationId), [userId, conversationId]);
  const { text, setText, send } = useDraft(draft, (wanted) => sendText(conversationId, wanted));
  useGrowth(field, text);
  const tooLong = text.trim().length > MESSAGE_MAX;
  const submit = () => {
    if (disabled || tooLong) return;
    void send();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    if (file === undefined) return;
    event.preventDefault();
    onPhoto(file);
  };
  return (
    <form
      data-testid="composer"
      className="shrink-0 border-t border-line pt-2 pb-[calc(8px+env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fault !== null && (
        <p
          role="alert"
          data-testid="photo-fault"
          className="px-3 pb-1.5 text-[0.8125rem] text-danger"
        >
          <Say k={fault} />
        </p>
      )}
      {tooLong && (
        <p id="message-too-long" role="alert" className="px-3 pb-1.5 text-[0.8125rem] text-danger">
          {t("chat.tooLong", { count: text.trim().length, most: MESSAGE_MAX })}
        </p>
      )}
      <div className="relative flex items-end gap-1">
        <PhotoButtons disabled={disabled} onPhoto={onPhoto} />
        <textarea
          ref={field}
          dir="auto"
          rows={1}
          value={text}
          aria-label={t("chat.write")}
          placeholder={t("chat.write")}
          aria-invalid={tooLong}
          {...(tooLong ? { "aria-describedby": "message-too-long" } : {})}
          enterKeyHint="send"
          data-words=""
          data-testid="message-input"
          className="max-h-[148px] min-h-12 min-w-0 flex-1 resize-none [field-sizing:content] rounded-3xl border border-line-strong bg-surface px-4 py-[11px] text-base leading-[1.5rem] text-foreground placeholder:text-muted"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button
          type="submit"
          aria-label={t("comments.send")}
          data-testid="send-message"
          aria-disabled={disabled || tooLong || text.trim() === ""}
          className="grid size-12 shrink-0 place-items-center rounded-full bg-accent text-on-accent transition-opacity aria-disabled:opacity-55"
        >
          <SendHorizontal className="size-5" aria-hidden="true" />
        </button>
      </div>
    </form>
  );
}

/** The camera has its own button: a phone's picture picker does not always offer it. */
const SOURCES = [
  { id: "attach-photo", Icon: ImagePlus, label: "chat.attach", look: "" },
  {
    id: "take-photo",
    Icon: Camera,
    label: "chat.camera",
    look: "hidden [@media(pointer:coarse)]:grid",
    capture: "environment",
  },
] as const;

function PhotoButtons({ disabled, onPhoto }: Pick<ComposerProps, "disabled" | "onPhoto">) {
  const { t } = useTranslation();
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    onPhoto(event.target.files?.[0]);
    event.target.value = "";
  };
  return SOURCES.map(({ Icon, label, id, look, ...rest }) => (
    <span
      key={id}
      className={`relative grid h-12 w-11 shrink-0 place-items-center rounded-full text-muted hover:text-foreground focus-within:text-foreground focus-within:outline-2 focus-within:outline-(--focus) ${look}`}
    >
      <Icon className="size-[22px]" aria-hidden="true" />
      <input
        type="file"
        accept="image/*"
        {...rest}
        aria-label={t(label)}
        disabled={disabled}
        data-testid={id}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        onChange={take}
      />
    </span>
  ));
}

function useGrowth(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: outside: the layout, whose height the text determines.
  useLayoutEffect(() => {
    const box = field.current;
    if (box === null || GROWS_BY_ITSELF) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(TALLEST_PX, box.scrollHeight + 2)}px`;
    box.style.overflowY = box.scrollHeight + 2 > TALLEST_PX ? "auto" : "hidden";
  }, [field, text]);
}
