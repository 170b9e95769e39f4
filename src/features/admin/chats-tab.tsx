/** Chats: every conversation, and who may write at all. */
import { MessagesSquare } from "lucide-react";
import { useState } from "react";
import type { AdminConversation } from "@/data/admin/admin-client";
import { useText } from "@/i18n/use-text";
import type { PagedQuery } from "@/state/use-query";
import { AlertDialog } from "@/ui/alert-dialog";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { useKept } from "@/ui/use-kept";
import { dateTimeText } from "./admin-times";
import { AskedView, MoreRows, RowsLoading } from "./asked-view";
import { ChatAccess } from "./chat-access";
import { ChatDialog } from "./chat-dialog";
import { useAct } from "./use-act";
import { useChatTitle } from "./use-chat-title";

export function ChatsTab({ chats }: { chats: PagedQuery<AdminConversation> }) {
  const { t } = useText();
  const [viewed, setViewed] = useState<AdminConversation | null>(null);
  const [doomed, setDoomed] = useState<AdminConversation | null>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <section aria-label={t("admin.tab.chats")}>
        <AskedView asked={chats.now} onRetry={chats.reload} loading={<RowsLoading height="h-24" />}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState
                testId="chats-empty"
                icon={<MessagesSquare />}
                title={t("admin.chats.none")}
              />
            ) : (
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
                {items.map((chat) => (
                  <ChatRow key={chat.id} chat={chat} onView={setViewed} onDelete={setDoomed} />
                ))}
              </ul>
            )
          }
        </AskedView>
        <MoreRows paged={chats} />
      </section>
      <ChatAccess />
      {viewed !== null && <ChatDialog chat={viewed} onClose={() => setViewed(null)} />}
      <DeleteChat
        doomed={doomed}
        onClose={() => setDoomed(null)}
        onDeleted={(id) => chats.change((items) => items.filter((item) => item.id !== id))}
      />
    </div>
  );
}

interface ChatRowProps {
  chat: AdminConversation;
  onView: (chat: AdminConversation) => void;
  onDelete: (chat: AdminConversation) => void;
}

function ChatRow({ chat, onView, onDelete }: ChatRowProps) {
  const { t, language } = useText();
  const title = useChatTitle(chat);
  const preview = chat.lastMessage || t("admin.chats.noMessages");
  return (
    <li
      data-testid="chat-row"
      data-conversation-id={chat.id}
      className="flex flex-wrap items-center gap-3 rounded-2xl border border-line p-4 [contain-intrinsic-size:auto_100px] [content-visibility:auto]"
    >
      <div className="min-w-0 flex-[1_1_260px]">
        <p className="truncate font-semibold">{title}</p>
        <p className="truncate text-sm text-muted">{preview}</p>
        <p className="mt-0.5 text-[13px] text-muted tabular-nums">
          {t("admin.chats.messages", { count: chat.messageCount })}
          {chat.lastMessageAt !== null && ` · ${dateTimeText(chat.lastMessageAt, language)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={t("admin.chats.viewOf", { name: title })}
          data-testid="view-chat"
          onClick={() => onView(chat)}
        >
          {t("admin.chats.view")}
        </Button>
        <Button
          variant="ghost"
          className="text-danger!"
          aria-label={t("admin.chats.deleteOf", { name: title })}
          data-testid="delete-chat"
          onClick={() => onDelete(chat)}
        >
          {t("admin.chats.delete")}
        </Button>
      </div>
    </li>
  );
}

interface DeleteChatProps {
  doomed: AdminConversation | null;
  onClose: () => void;
  onDeleted: (id: string) => void;
}

function DeleteChat({ doomed, onClose, onDeleted }: DeleteChatProps) {
  const { t } = useText();
  const { act } = useAct();
  const chat = useKept(doomed);
  if (chat === null) return null;
  const remove = async () => {
    const done = await act({
      target: chat.id,
      run: (admin) => admin.deleteConversation(chat.id),
      done: "admin.chats.deleted",
      failed: "admin.chats.deleteFailed",
    });
    if (done) onDeleted(chat.id);
  };
  return (
    <AlertDialog
      open={doomed !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t("admin.chats.deleteTitle")}
      description={<DeleteText chat={chat} />}
      cancel={t("app.cancel")}
      action={t("admin.chats.delete")}
      onAction={() => void remove()}
    />
  );
}

function DeleteText({ chat }: { chat: AdminConversation }) {
  const { t } = useText();
  return (
    <>
      <strong className="block text-foreground">{useChatTitle(chat)}</strong>
      {t("admin.chats.deleteText")}
    </>
  );
}
