/** 'User Chat Settings': one switch per account. */
import { useState } from "react";
import type { AdminUser } from "@/data/admin/admin-client";
import { ADMIN_PAGE } from "@/domain/limits";
import { useText } from "@/i18n/use-text";
import { usePagedQuery } from "@/state/use-query";
import { Avatar } from "@/ui/avatar";
import { Switch } from "@/ui/switch";
import { AskedView, MoreRows, RowsLoading } from "./asked-view";
import { SearchBox } from "./search-box";
import { useAct } from "./use-act";
import { useLater } from "./use-later";

export function ChatAccess() {
  const { t } = useText();
  const [typed, setTyped] = useState("");
  const search = useLater(typed.trim());
  const users = usePagedQuery(`admin chat access ${search}`, (client, after) =>
    client.admin.users({
      sort: "username",
      limit: ADMIN_PAGE,
      ...(search === "" ? {} : { search }),
      ...(after === undefined ? {} : { after }),
    }),
  );
  const change = (changed: AdminUser) =>
    users.change((items) => items.map((item) => (item.id === changed.id ? changed : item)));
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
      <SearchBox
        label={t("admin.users.search")}
        className="mt-3"
        value={typed}
        testId="access-search"
        onChange={setTyped}
      />
      <div className="mt-3">
        <AskedView
          asked={users.now}
          onRetry={users.reload}
          loading={<RowsLoading rows={4} height="h-14" />}
        >
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
        </AskedView>
        <MoreRows paged={users} />
      </div>
    </section>
  );
}

interface AccessRowProps {
  user: AdminUser;
  onChanged: (user: AdminUser) => void;
}

function AccessRow({ user, onChanged }: AccessRowProps) {
  const { t } = useText();
  const { busy, act } = useAct();
  const set = async (enabled: boolean) => {
    const done = await act({
      target: user.id,
      run: (admin) => admin.setChatDisabled(user.id, !enabled),
      done: enabled ? "admin.chats.enabled" : "admin.chats.disabled",
      failed: "admin.chats.accessFailed",
    });
    if (done) onChanged({ ...user, chatDisabled: !enabled });
  };
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
        disabled={busy !== null}
        label={t("admin.chats.accessOf", { name: user.username })}
        testId="access-switch"
        onChange={(enabled) => void set(enabled)}
      />
    </li>
  );
}
