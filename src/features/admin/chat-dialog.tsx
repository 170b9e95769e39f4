/** All messages of a conversation, the newest thousand first; older ones when asked for. */
import { useEffect, useRef, useState } from "react";
import type { AdminConversation, AdminMessage, AdminMessages } from "@/data/admin/admin-client";
import { errorKey } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { type QueryState, useQuery } from "@/state/use-query";
import { AlertDialog } from "@/ui/alert-dialog";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Spinner } from "@/ui/spinner";
import { useKept } from "@/ui/use-kept";
import { ChatMessage } from "./chat-message";
import { useAct } from "./use-act";
import { useChatTitle } from "./use-chat-title";

interface ChatDialogProps {
  chat: AdminConversation;
  onClose: () => void;
}

/** Specification §8: told by a toast, and in the dialog itself, which would be empty otherwise. */
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
  const { t } = useText();
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
  const { t } = useText();
  const end = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<AdminMessage | null>(null);
  // Outside: the scroll position. The newest messages are at the end.
  useEffect(() => {
    // In braces: newer browsers answer a promise, which is no way to clean up.
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

/** A deleted message keeps its place, and nothing of what it said. */
const withDeleted = (messages: AdminMessages, id: string): AdminMessages => ({
  ...messages,
  items: messages.items.map((item) =>
    item.id === id ? { ...item, deleted: true, text: "", imagePath: "", thumbnailPath: "" } : item,
  ),
});

function OlderMessages({ chat, messages, change }: MessagesProps) {
  const { t } = useText();
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
  const { t } = useText();
  const { act } = useAct();
  const message = useKept(doomed);
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
