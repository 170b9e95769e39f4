/**
 * Benutzer: search, sort, and the three switches of an account. Pages of 50; rows out of sight are
 * not rendered.
 */
import { UserX } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { AdminUser, UserFilter, UserSort } from "@/data/admin/admin-client";
import { paths } from "@/domain/paths";
import type { TextKey } from "@/i18n/keys";
import type { PagedQuery } from "@/state/use-query";
import { AlertDialog } from "@/ui/alert-dialog";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Select } from "@/ui/select";
import {
  AskedView,
  countText,
  MoreRows,
  RowsLoading,
  SearchField,
  Tag,
  useAct,
  useDebounced,
  useLastValue,
} from "./admin-parts";
import type { Choice, UserChoice } from "./use-admin-lists";

const SORTS: Record<UserSort, TextKey> = {
  newest: "admin.users.sortNewest",
  oldest: "admin.users.sortOldest",
  username: "admin.users.sortName",
  followers: "admin.users.sortFollowers",
  media: "admin.users.sortMedia",
};
const FILTERS: Record<UserFilter, TextKey> = {
  all: "admin.users.filterAll",
  admins: "admin.users.filterAdmins",
  suspended: "admin.users.filterSuspended",
  "chat-disabled": "admin.users.filterChat",
};

interface UsersTabProps {
  users: PagedQuery<AdminUser>;
  choice: Choice<UserChoice>;
  userId: string;
}

export function UsersTab({ users, choice, userId }: UsersTabProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<UserAct | null>(null);
  const change = (changed: AdminUser) =>
    users.change((items) => items.map((item) => (item.id === changed.id ? changed : item)));
  return (
    <>
      <UserSearch choice={choice} />
      <AskedView asked={users.now} onRetry={users.reload} loading={<RowsLoading />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              testId="users-empty"
              icon={<UserX />}
              title={t("admin.users.none")}
              text={t("admin.users.noneText")}
            />
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: rows are grids, so that those out of sight are not laid out.
            <div role="table" aria-label={t("admin.tab.users")} data-testid="users-table">
              <UserHead />
              {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
              <div role="rowgroup" className="grid gap-2 md:gap-0">
                {items.map((user) => (
                  <UserRow key={user.id} user={user} isOwn={user.id === userId} onAct={setAsked} />
                ))}
              </div>
            </div>
          )
        }
      </AskedView>
      <MoreRows paged={users} />
      <UserActDialog
        act={asked}
        isOwn={asked?.user.id === userId}
        onClose={() => setAsked(null)}
        onChanged={change}
      />
    </>
  );
}

const HEADS: TextKey[] = [
  "admin.users.user",
  "admin.users.email",
  "admin.users.followers",
  "admin.users.following",
  "admin.users.actions",
];

function UserHead() {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div role="rowgroup" className="max-md:sr-only">
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: a row of headings is read, not used. */}
      <div role="row" className={`${USER_COLUMNS} border-b border-line py-2 text-sm text-muted`}>
        {HEADS.map((head) => (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <span key={head} role="columnheader" className="font-semibold last:text-right">
            {t(head)}
          </span>
        ))}
      </div>
    </div>
  );
}

function UserSearch({ choice }: { choice: Choice<UserChoice> }) {
  const { t } = useTranslation();
  const { value, set } = choice;
  const [typed, setTyped] = useState(value.search);
  const settled = useDebounced(typed.trim());
  // Outside: the panel's lists, which load what the search asks for.
  useEffect(() => {
    if (settled !== value.search) set({ ...value, search: settled });
  }, [settled, value, set]);
  return (
    <search className="mb-4 flex flex-wrap gap-2">
      <SearchField
        label={t("admin.users.search")}
        className="min-w-56 flex-1 max-md:basis-full"
        value={typed}
        testId="user-search"
        onChange={setTyped}
      />
      <Select
        label={t("admin.users.sort")}
        value={value.sort}
        testId="user-sort"
        className="flex-1 md:flex-none"
        options={Object.entries(SORTS).map(([key, text]) => ({ value: key, text: t(text) }))}
        onChange={(sort) => set({ ...value, sort: sort as UserSort })}
      />
      <Select
        label={t("admin.users.filter")}
        value={value.filter}
        testId="user-filter"
        className="flex-1 md:flex-none"
        options={Object.entries(FILTERS).map(([key, text]) => ({ value: key, text: t(text) }))}
        onChange={(filter) => set({ ...value, filter: filter as UserFilter })}
      />
    </search>
  );
}

/** One account: a table row, or a card on a phone. */
const USER_COLUMNS =
  "md:grid md:grid-cols-[minmax(0,1.3fr)_minmax(0,1.2fr)_84px_84px_330px] md:items-center md:gap-3";

interface UserRowProps {
  user: AdminUser;
  isOwn: boolean;
  onAct: (act: UserAct) => void;
}

function UserRow({ user, isOwn, onAct }: UserRowProps) {
  const { t, i18n } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid, so that it is not laid out while out of sight.
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are what is used.
    <div
      role="row"
      data-testid="user-row"
      data-user-id={user.id}
      className={`${USER_COLUMNS} rounded-2xl border border-line p-3 [contain-intrinsic-size:auto_64px] [content-visibility:auto] md:rounded-none md:border-x-0 md:border-t-0 md:px-0 md:py-2`}
    >
      <UserName user={user} isOwn={isOwn} />
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <span role="cell" className="block truncate text-sm text-muted max-md:mt-1">
        {user.email}
      </span>
      <Count label={t("admin.users.followers")} value={countText(user.followers, i18n.language)} />
      <Count label={t("admin.users.following")} value={countText(user.following, i18n.language)} />
      <UserActions user={user} onAct={onAct} />
    </div>
  );
}

function UserName({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div role="cell" className="min-w-0">
      <Link
        to={paths.user(user.username)}
        className="target flex max-w-full items-center gap-3 rounded-xl font-semibold hover:underline"
      >
        <Avatar name={user.username} src={user.profileThumbnailUrl} size={40} />
        <span className="truncate">{user.username}</span>
      </Link>
      <span className="flex flex-wrap gap-1 pl-13 empty:hidden">
        {isOwn && <Tag>{t("admin.users.you")}</Tag>}
        {user.isAdmin && <Tag tone="accent">{t("admin.users.admin")}</Tag>}
        {user.chatDisabled && <Tag>{t("admin.users.chatDisabled")}</Tag>}
        {user.isBlocked && <Tag tone="danger">{t("admin.users.suspended")}</Tag>}
      </span>
    </div>
  );
}

function Count({ label, value }: { label: string; value: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <span role="cell" className="text-sm tabular-nums max-md:mt-1 max-md:mr-4 max-md:inline-block">
      {value} <span className="text-muted md:hidden">{label}</span>
    </span>
  );
}

function UserActions({ user, onAct }: Pick<UserRowProps, "user" | "onAct">) {
  const { t } = useTranslation();
  const name = user.username;
  const adminAct = user.isAdmin ? "removeAdmin" : "makeAdmin";
  const suspendAct = user.isBlocked ? "unsuspend" : "suspend";
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <span role="cell" className="flex flex-wrap gap-2 max-md:mt-3 md:justify-end">
      <Button
        className="px-3.5"
        aria-label={t(`admin.users.${adminAct}Of`, { name })}
        data-testid="toggle-admin"
        onClick={() => onAct({ kind: adminAct, user })}
      >
        {t(`admin.users.${adminAct}`)}
      </Button>
      <Button
        variant="ghost"
        className="px-3.5"
        aria-label={t(`admin.users.${suspendAct}Of`, { name })}
        data-testid="toggle-suspended"
        onClick={() => onAct({ kind: suspendAct, user })}
      >
        {t(`admin.users.${suspendAct}`)}
      </Button>
    </span>
  );
}

type UserActKind = "makeAdmin" | "removeAdmin" | "suspend" | "unsuspend";
interface UserAct {
  kind: UserActKind;
  user: AdminUser;
}

interface ActWords {
  title: `admin.users.${"make" | "remove" | "suspend" | "unsuspend"}Title`;
  text: TextKey;
  action: TextKey;
  done: TextKey;
  failed: TextKey;
  change: Partial<Pick<AdminUser, "isAdmin" | "isBlocked">>;
}

const ACTS: Record<UserActKind, ActWords> = {
  makeAdmin: {
    title: "admin.users.makeTitle",
    text: "admin.users.makeText",
    action: "admin.users.makeAdmin",
    done: "admin.users.promoted",
    failed: "admin.users.adminFailed",
    change: { isAdmin: true },
  },
  removeAdmin: {
    title: "admin.users.removeTitle",
    text: "admin.users.removeText",
    action: "admin.users.removeAdmin",
    done: "admin.users.demoted",
    failed: "admin.users.adminFailed",
    change: { isAdmin: false },
  },
  suspend: {
    title: "admin.users.suspendTitle",
    text: "admin.users.suspendText",
    action: "admin.users.suspend",
    done: "admin.users.suspendedDone",
    failed: "admin.users.suspendFailed",
    change: { isBlocked: true },
  },
  unsuspend: {
    title: "admin.users.unsuspendTitle",
    text: "admin.users.unsuspendText",
    action: "admin.users.unsuspend",
    done: "admin.users.unsuspendedDone",
    failed: "admin.users.suspendFailed",
    change: { isBlocked: false },
  },
};

interface UserActDialogProps {
  act: UserAct | null;
  isOwn: boolean;
  onClose: () => void;
  onChanged: (user: AdminUser) => void;
}

/** Confirms a change to an account: admin rights or suspension. */
function UserActDialog({ act, isOwn, onClose, onChanged }: UserActDialogProps) {
  const { t } = useTranslation();
  const { act: run } = useAct();
  // The dialog keeps its subject while it closes.
  const shown = useLastValue(act);
  if (shown === null) return null;
  const { kind, user } = shown;
  const words = ACTS[kind];
  const isOwnRemoval = isOwn && kind === "removeAdmin";
  const perform = async () => {
    const { isAdmin, isBlocked } = words.change;
    const done = await run({
      target: user.id,
      run: (admin) =>
        isAdmin === undefined
          ? admin.setSuspended(user.id, isBlocked === true)
          : admin.setAdmin(user.id, isAdmin),
      done: words.done,
      failed: words.failed,
      failedBy: { last_admin: "admin.users.lastAdmin" },
    });
    if (done) onChanged({ ...user, ...words.change });
  };
  return (
    <AlertDialog
      open={act !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t(words.title, { name: user.username })}
      description={t(isOwnRemoval ? "admin.users.removeSelfText" : words.text)}
      cancel={t("app.cancel")}
      action={t(words.action)}
      onAction={() => void perform()}
    />
  );
}
