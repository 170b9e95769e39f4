/** All messages of a conversation: the newest thousand first, older ones on request. */
import { Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminConversation, AdminMessage, AdminMessages } from "@/data/admin/admin-client";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Dialog } from "@/ui/dialog";
import { Spinner } from "@/ui/loading";
import { dateTimeText, LoadMore, useAct } from "./admin-parts";

export function ChatDialog({ chat, onClose }: { chat: AdminConversation; onClose: () => void }) {
  const { t } = useTranslation();
  const asking = useQuery(`admin messages ${chat.id}`, (client) => client.admin.messages(chat.id));
  return (
    <Dialog
      wide
      onClose={onClose}
      title={useChatTitle(chat)}
      description={<span className="text-sm">{t("admin.chat.audited")}</span>}
    >
      <div data-testid="chat-dialog" className="min-h-40">
        {asking.now.state === "loading" && (
          <Spinner label={t("chat.messagesLoading")} className="w-full py-12" />
        )}
        {asking.now.state === "failed" && (
          <div role="alert" className="grid justify-items-center gap-3 py-8 text-center">
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
        {t("app.close")}
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
  const list = useRef<HTMLElement>(null);
  const { confirm, dialog } = useAct();
  // Outside: the scroll position. The newest messages are at the end; the dialog's title stays.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, []);
  if (messages.items.length === 0) {
    return <p className="py-12 text-center text-muted">{t("admin.chat.empty")}</p>;
  }
  const remove = (id: string) =>
    confirm({
      title: t("chat.deleteTitle"),
      text: t("admin.chat.deleteText"),
      action: t("app.delete"),
      run: (admin) => admin.deleteMessage(id),
      done: "admin.chat.deletedDone",
      failed: "admin.chat.deleteFailed",
      onDone: () => change((before) => withDeleted(before, id)),
    });
  return (
    <section
      ref={list}
      aria-label={t("chat.messages")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
      tabIndex={0}
      data-testid="admin-messages"
      className="-mx-2 max-h-[50dvh] min-h-24 overflow-y-auto overscroll-contain px-2"
    >
      <OlderMessages chat={chat} messages={messages} change={change} />
      <ol className="grid gap-2">
        {messages.items.map((message) => (
          <ChatMessage
            key={message.id}
            message={message}
            isFirst={message.senderId === chat.participants[0].id}
            onDelete={() => remove(message.id)}
          />
        ))}
      </ol>
      {dialog}
    </section>
  );
}

const withDeleted = (messages: AdminMessages, id: string): AdminMessages => ({
  ...messages,
  items: messages.items.map((item) =>
    item.id === id ? { ...item, deleted: true, text: "", imagePath: "", thumbnailPath: "" } : item,
  ),
});

function OlderMessages({ chat, messages, change }: MessagesProps) {
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
    <LoadMore
      state={state}
      text="admin.chat.older"
      failed="admin.chat.loadFailed"
      testId="older-messages"
      className="mb-3 gap-1"
      onClick={() => void load()}
    />
  );
}

type ChatMessageProps = { message: AdminMessage; isFirst: boolean; onDelete: () => void };

function ChatMessage({ message, isFirst, onDelete }: ChatMessageProps) {
  const { t, i18n } = useTranslation();
  const name = message.senderUsername || t("chat.unknownUser");
  const time = dateTimeText(message.sentAt, i18n.language);
  return (
    <li
      data-testid="admin-message"
      data-message-id={message.id}
      className={cn(
        "flex max-w-[88%] items-start gap-1 rounded-2xl py-2 pe-1 ps-3 [contain-intrinsic-size:auto_64px] [content-visibility:auto]",
        isFirst ? "justify-self-start bg-surface" : "justify-self-end border border-line",
      )}
    >
      <div className="min-w-0 flex-1 pe-2">
        <p className="text-[0.8125rem] text-muted">
          <strong className="text-foreground">{name}</strong> <time>{time}</time>
        </p>
        <MessageBody message={message} name={name} />
      </div>
      {!message.deleted && (
        <button
          type="button"
          className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-danger"
          aria-label={t("admin.chat.deleteOf", { name, time })}
          title={t("app.delete")}
          data-testid="delete-message"
          onClick={onDelete}
        >
          <Trash2 className="size-[18px]" aria-hidden="true" />
        </button>
      )}
    </li>
  );
}

function MessageBody({ message, name }: { message: AdminMessage; name: string }) {
  const { t } = useTranslation();
  if (message.deleted) return <p className="text-muted italic">{t("chat.deleted")}</p>;
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

/** Chat photos are protected: each address is requested and expires soon. */
function ChatPhoto({ message, name }: { message: AdminMessage; name: string }) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState(false);
  const path = message.thumbnailPath || message.imagePath;
  const { now } = useQuery(`admin photo ${path}`, (client) => client.admin.photoUrl(path));
  if (broken || now.state === "failed") {
    return <p className="py-2 text-sm text-muted">{t("admin.chat.photoMissing")}</p>;
  }
  return (
    <span className="my-1 block size-40 overflow-hidden rounded-xl bg-skeleton">
      {now.state === "ready" && (
        <img
          src={now.value}
          alt={t("chat.photoFrom", { name })}
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}

/** "ann ↔ ben"; a deleted account is 'Unknown User'. */
export function useChatTitle({ participants }: AdminConversation): string {
  const { t } = useTranslation();
  const [first, second] = participants.map(({ username }) => username || t("chat.unknownUser"));
  return t("admin.chats.arrow", { first: first ?? "", second: second ?? "" });
}
