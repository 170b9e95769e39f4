/** All messages of a conversation: the newest thousand first, older ones on request. */
import { Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminConversation, AdminMessage, AdminMessages } from "@/data/admin/admin-client";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { noteAdminRefusal } from "@/state/admin-access";
import { useClient, whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { type QueryState, useQuery } from "@/state/use-query";
import { AlertDialog } from "@/ui/alert-dialog";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Dialog } from "@/ui/dialog";
import { Spinner } from "@/ui/loading";
import { dateTimeText, useAct, useLastValue } from "./admin-parts";

interface ChatDialogProps {
  chat: AdminConversation;
  onClose: () => void;
}

/**
 * Specification §8: a failure shows a toast, and a message in the dialog, which would otherwise be
 * empty.
 */
function useFailureToast(now: QueryState<unknown>): void {
  const failed = now.state === "failed";
  // Outside: the notification area.
  useEffect(() => {
    if (!failed) return;
    showToast({
      title: { key: "admin.error" },
      description: { key: "admin.chat.loadFailed" },
      variant: "destructive",
    });
  }, [failed]);
}

export function ChatDialog({ chat, onClose }: ChatDialogProps) {
  const { t } = useTranslation();
  const asking = useQuery(`admin messages ${chat.id}`, (client) => client.admin.messages(chat.id));
  useFailureToast(asking.now);
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={useChatTitle(chat)}
      description={<span className="text-sm">{t("admin.chat.audited")}</span>}
    >
      <div data-testid="chat-dialog" className="min-h-40">
        {asking.now.state === "loading" && (
          <Spinner label={t("admin.chat.loading")} className="w-full py-12" />
        )}
        {asking.now.state === "failed" && (
          <div className="grid justify-items-center gap-3 py-8 text-center">
            <p>{t("admin.chat.loadFailed")}</p>
            <p className="text-sm text-muted">
              <Say k={errorKey(asking.now.code)} />
            </p>
            <Button onClick={asking.reload}>{t("app.retry")}</Button>
          </div>
        )}
        {asking.now.state === "ready" && (
          <Messages chat={chat} messages={asking.now.value} change={asking.change} />
        )}
      </div>
      <Button className="justify-self-end" data-testid="close-chat" onClick={onClose}>
        {t("admin.chat.close")}
      </Button>
    </Dialog>
  );
}

interface MessagesProps {
  chat: AdminConversation;
  messages: AdminMessages;
  change: (edit: (messages: AdminMessages) => AdminMessages) => void;
}

function Messages({ chat, messages, change }: MessagesProps) {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<AdminMessage | null>(null);
  // Outside: the scroll position. The newest messages are at the end.
  useEffect(() => {
    // In braces: newer browsers return a promise, which is not a cleanup function.
    void end.current?.scrollIntoView({ block: "end" });
  }, []);
  if (messages.items.length === 0) {
    return <p className="py-12 text-center text-muted">{t("admin.chat.empty")}</p>;
  }
  return (
    <>
      <OlderMessages chat={chat} messages={messages} change={change} />
      <ol className="grid gap-2">
        {messages.items.map((message) => (
          <ChatMessage
            key={message.id}
            message={message}
            isFirst={message.senderId === chat.participants[0].id}
            onDelete={setDoomed}
          />
        ))}
      </ol>
      <div ref={end} />
      <DeleteMessage
        doomed={doomed}
        onClose={() => setDoomed(null)}
        onDeleted={(id) => change((before) => withDeleted(before, id))}
      />
    </>
  );
}

/** The place of a deleted message, without its content. */
const withDeleted = (messages: AdminMessages, id: string): AdminMessages => ({
  ...messages,
  items: messages.items.map((item) =>
    item.id === id ? { ...item, deleted: true, text: "", imagePath: "", thumbnailPath: "" } : item,
  ),
});

function OlderMessages({ chat, messages, change }: MessagesProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<"idle" | "loading" | "failed">("idle");
  const { older } = messages;
  if (older === null) return null;
  const load = async () => {
    setState("loading");
    const answer = await (await whenClient()).admin.messages(chat.id, older);
    setState(answer.success ? "idle" : "failed");
    if (!answer.success) return noteAdminRefusal(answer.error);
    const { items, older: next } = answer.value;
    change((before) =>
      before.older === older ? { items: [...items, ...before.items], older: next } : before,
    );
  };
  return (
    <div className="mb-3 grid justify-items-center gap-1">
      {state === "failed" && (
        <p role="alert" className="text-sm text-danger">
          {t("admin.chat.loadFailed")}
        </p>
      )}
      <Button
        data-testid="older-messages"
        disabled={state === "loading"}
        onClick={() => void load()}
      >
        {t(state === "loading" ? "admin.loadingMore" : "admin.chat.older")}
      </Button>
    </div>
  );
}

interface DeleteMessageProps {
  doomed: AdminMessage | null;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

function DeleteMessage({ doomed, onClose, onDeleted }: DeleteMessageProps) {
  const { t } = useTranslation();
  const { act } = useAct();
  const message = useLastValue(doomed);
  if (message === null) return null;
  const remove = async () => {
    const done = await act({
      target: message.id,
      run: (admin) => admin.deleteMessage(message.id),
      done: "admin.chat.deletedDone",
      failed: "admin.chat.deleteFailed",
    });
    if (done) onDeleted(message.id);
  };
  return (
    <AlertDialog
      open={doomed !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t("admin.chat.deleteTitle")}
      description={t("admin.chat.deleteText")}
      cancel={t("app.cancel")}
      action={t("admin.chat.delete")}
      onAction={() => void remove()}
    />
  );
}

interface ChatMessageProps {
  message: AdminMessage;
  /** Sent by the first participant: the two participants are on opposite sides. */
  isFirst: boolean;
  onDelete: (message: AdminMessage) => void;
}

/** One message as an admin sees it: sender, time, content, and whether it was deleted. */
function ChatMessage({ message, isFirst, onDelete }: ChatMessageProps) {
  const { t, i18n } = useTranslation();
  const name = message.senderUsername || t("admin.unknownUser");
  const time = dateTimeText(message.sentAt, i18n.language);
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
  const { t } = useTranslation();
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

/** Chat photos are protected: each address is requested and expires soon. */
function ChatPhoto({ message, name }: { message: AdminMessage; name: string }) {
  const { t } = useTranslation();
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

/** "ann ↔ ben"; a deleted account is 'Unknown User'. */
export function useChatTitle({ participants }: AdminConversation): string {
  const { t } = useTranslation();
  const [first, second] = participants.map(({ username }) => username || t("admin.unknownUser"));
  return t("admin.chats.arrow", { first: first ?? "", second: second ?? "" });
}
