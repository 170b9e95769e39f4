/** One message as an admin sees it: who, when, what, and its end. */
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { AdminMessage } from "@/data/admin/admin-client";
import { useText } from "@/i18n/use-text";
import { useClient } from "@/state/client-store";
import { cn } from "@/ui/cn";
import { dateTimeText } from "./admin-times";

interface ChatMessageProps {
  message: AdminMessage;
  /** Of the first participant: the two stand on different sides. */
  isFirst: boolean;
  onDelete: (message: AdminMessage) => void;
}

export function ChatMessage({ message, isFirst, onDelete }: ChatMessageProps) {
  const { t, language } = useText();
  const name = message.senderUsername || t("admin.unknownUser");
  const time = dateTimeText(message.sentAt, language);
  return (
    <li
      data-testid="admin-message"
      data-message-id={message.id}
      className={cn(
        "flex max-w-[88%] items-start gap-1 rounded-2xl py-2 pr-1 pl-3 [contain-intrinsic-size:auto_64px] [content-visibility:auto]",
        isFirst ? "justify-self-start bg-surface" : "justify-self-end border border-line",
      )}
    >
      <div className="min-w-0 flex-1 pr-2">
        <p className="text-[13px] text-muted">
          <strong className="text-foreground">{name}</strong> <time>{time}</time>
        </p>
        <MessageBody message={message} name={name} />
      </div>
      {!message.deleted && (
        <button
          type="button"
          className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-danger"
          aria-label={t("admin.chat.deleteOf", { name, time })}
          title={t("admin.chat.delete")}
          data-testid="delete-message"
          onClick={() => onDelete(message)}
        >
          <Trash2 className="size-[18px]" aria-hidden="true" />
        </button>
      )}
    </li>
  );
}

function MessageBody({ message, name }: { message: AdminMessage; name: string }) {
  const { t } = useText();
  if (message.deleted) return <p className="text-muted italic">{t("admin.chat.deleted")}</p>;
  return (
    <>
      {message.type === "photo" && <ChatPhoto message={message} name={name} />}
      {message.text !== "" && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {message.text}
        </p>
      )}
    </>
  );
}

type Photo = { state: "coming" } | { state: "there"; url: string } | { state: "missing" };

/** Chat photos are protected: each address is asked for, and good for a short while. */
function ChatPhoto({ message, name }: { message: AdminMessage; name: string }) {
  const { t } = useText();
  const client = useClient();
  const path = message.thumbnailPath || message.imagePath;
  const [photo, setPhoto] = useState<Photo>({ state: "coming" });
  // Outside: the server.
  useEffect(() => {
    if (client === null) return;
    let current = true;
    void client.admin.photoUrl(path).then((answer) => {
      if (!current) return;
      setPhoto(answer.success ? { state: "there", url: answer.value } : { state: "missing" });
    });
    return () => {
      current = false;
    };
  }, [client, path]);
  if (photo.state === "missing") {
    return <p className="py-2 text-sm text-muted">{t("admin.chat.photoMissing")}</p>;
  }
  return (
    <span className="my-1 block size-40 overflow-hidden rounded-xl bg-skeleton">
      {photo.state === "there" && (
        <img
          src={photo.url}
          alt={t("admin.chat.photo", { name })}
          loading="lazy"
          className="size-full object-cover"
          onError={() => setPhoto({ state: "missing" })}
        />
      )}
    </span>
  );
}
