/** Chats: every conversation, and which accounts may write. */
import { MessagesSquare } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminConversation, AdminUser } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import { usePagedQuery } from "@/state/use-query";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Switch } from "@/ui/switch";
import {
  dateTimeText,
  PagedView,
  RowsLoading,
  SearchField,
  useAct,
  useDebounced,
} from "./admin-parts";
import { ChatDialog, useChatTitle } from "./chat-dialog";
import type { AdminLists } from "./use-admin-lists";

type ChatsTabProps = Pick<AdminLists, "chats" | "onChatAccess">;

export function ChatsTab({ chats, onChatAccess }: ChatsTabProps) {
  const { t } = useTranslation();
  const [viewed, setViewed] = useState<AdminConversation | null>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <section aria-label={t("admin.tab.chats")}>
        <PagedView
          paged={chats}
          loading={<RowsLoading row="h-24 w-full" />}
          empty={{
            testId: "chats-empty",
            icon: <MessagesSquare />,
            title: t("admin.chats.none"),
          }}
        >
          {(items) => (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {items.map((chat) => (
                <ChatRow key={chat.id} chat={chat} change={chats.change} onView={setViewed} />
              ))}
            </ul>
          )}
        </PagedView>
      </section>
      <ChatAccess onChatAccess={onChatAccess} />
      {viewed !== null && <ChatDialog chat={viewed} onClose={() => setViewed(null)} />}
    </div>
  );
}

/** What the server says in the place of a photo or a deleted message is not read; null: a text. */
function previewKey({ lastMessageAt, lastMessageType }: AdminConversation): TextKey | null {
  if (lastMessageAt === null) return "chat.noMessages";
  if (lastMessageType === "photo") return "media.photo";
  return lastMessageType === "" ? "chat.deleted" : null;
}

interface ChatRowProps extends Pick<AdminLists["chats"], "change"> {
  chat: AdminConversation;
  onView: (chat: AdminConversation) => void;
}

function ChatRow({ chat, change, onView }: ChatRowProps) {
  const { t, i18n } = useTranslation();
  const { confirm, dialog } = useAct();
  const title = useChatTitle(chat);
  const key = previewKey(chat);
  const preview = key === null ? chat.lastMessage : t(key);
  const remove = () =>
    confirm({
      title: t("admin.chats.deleteTitle"),
      text: (
        <>
          <strong className="block text-foreground">{title}</strong>
          {t("admin.chats.deleteText")}
        </>
      ),
      action: t("app.delete"),
      run: (admin) => admin.deleteConversation(chat.id),
      done: "admin.chats.deleted",
      failed: "admin.chats.deleteFailed",
      onDone: () => change((items) => items.filter((item) => item.id !== chat.id)),
    });
  return (
    <li
      data-testid="chat-row"
      data-conversation-id={chat.id}
      className="flex flex-wrap items-center gap-3 rounded-2xl border border-line p-4 [contain-intrinsic-size:auto_100px] [content-visibility:auto]"
    >
      <div className="min-w-0 flex-[1_1_260px]">
        <p className="truncate font-semibold">{title}</p>
        <p className="truncate text-sm text-muted">{preview}</p>
        <p className="mt-0.5 text-[0.8125rem] text-muted tabular-nums">
          {t("admin.chats.messages", { count: chat.messageCount })}
          {chat.lastMessageAt !== null && ` · ${dateTimeText(chat.lastMessageAt, i18n.language)}`}
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
          onClick={remove}
        >
          {t("app.delete")}
        </Button>
        {dialog}
      </div>
    </li>
  );
}

function ChatAccess({ onChatAccess }: Pick<AdminLists, "onChatAccess">) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim());
  const users = usePagedQuery(`admin chat access ${search}`, (client, page) =>
    client.admin.users({ sort: "username", ...page, ...(search === "" ? {} : { search }) }),
  );
  const change = (changed: AdminUser) => {
    users.change((items) => items.map((item) => (item.id === changed.id ? changed : item)));
    onChatAccess(changed.id, changed.chatDisabled);
  };
  return (
    <section
      aria-labelledby="chat-access-title"
      data-testid="chat-access"
      className="rounded-2xl border border-line p-4"
    >
      <h2 id="chat-access-title" className="text-lg font-bold">
        {t("admin.chats.access")}
      </h2>
      <p className="mt-1 text-sm text-muted">{t("admin.chats.accessText")}</p>
      <SearchField className="mt-3" value={typed} testId="access-search" onChange={setTyped} />
      <div className="mt-3">
        <PagedView paged={users} loading={<RowsLoading rows={4} row="h-14 w-full" />}>
          {(items) => (
            <ul className="divide-y divide-line">
              {items.map((user) => (
                <AccessRow key={user.id} user={user} onChanged={change} />
              ))}
              {items.length === 0 && (
                <li className="py-6 text-center text-muted">{t("admin.users.none")}</li>
              )}
            </ul>
          )}
        </PagedView>
      </div>
    </section>
  );
}

function AccessRow({ user, onChanged }: { user: AdminUser; onChanged: (user: AdminUser) => void }) {
  const { t } = useTranslation();
  const { busy, act } = useAct();
  const set = (enabled: boolean) =>
    act({
      run: (admin) => admin.setChatDisabled(user.id, !enabled),
      done: enabled ? "admin.chats.enabled" : "admin.chats.disabled",
      failed: "admin.chats.accessFailed",
      onDone: () => onChanged({ ...user, chatDisabled: !enabled }),
    });
  return (
    <li
      data-testid="access-row"
      data-user-id={user.id}
      className="flex items-center gap-3 py-1.5 [contain-intrinsic-size:auto_56px] [content-visibility:auto]"
    >
      <Avatar name={user.username} src={user.profileThumbnailUrl} size={36} />
      <span className="min-w-0 flex-1 truncate font-semibold">{user.username}</span>
      <span className="text-sm text-muted max-[400px]:sr-only" aria-hidden="true">
        {t("admin.chats.accessLabel")}
      </span>
      <Switch
        checked={!user.chatDisabled}
        disabled={busy}
        label={t("admin.chats.accessOf", { name: user.username })}
        testId="access-switch"
        onChange={(enabled) => void set(enabled)}
      />
    </li>
  );
}
