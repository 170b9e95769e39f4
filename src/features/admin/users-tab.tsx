/** Benutzer: search, sort, and the switches of an account. */
import type { TFunction } from "i18next";
import { UserX } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { AdminClient, AdminUser, UserFilter, UserSort } from "@/data/admin/admin-client";
import { paths } from "@/domain/paths";
import { bytesText } from "@/i18n/formats";
import type { TextKey } from "@/i18n/keys";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Select } from "@/ui/select";
import {
  countText,
  dateTimeText,
  GridCell,
  GridRow,
  GridTable,
  type Named,
  PagedView,
  RowsLoading,
  SearchField,
  Tag,
  useAct,
  useDebounced,
} from "./admin-parts";
import type { AdminLists } from "./use-admin-lists";

const SORTS: Record<UserSort, TextKey> = {
  newest: "admin.users.sortNewest",
  oldest: "admin.users.sortOldest",
  username: "admin.users.sortName",
  followers: "admin.users.sortFollowers",
  media: "admin.users.sortMedia",
};
const FILTERS: Record<UserFilter, TextKey> = {
  all: "people.all",
  admins: "admin.users.filterAdmins",
  suspended: "admin.users.suspended",
  "chat-disabled": "admin.users.chatDisabled",
};

type SearchProps = Pick<AdminLists, "userChoice" | "setUserChoice">;
type UsersTabProps = SearchProps & Pick<AdminLists, "users"> & { userId: string };

export function UsersTab({ users, userId, ...search }: UsersTabProps) {
  const { t } = useTranslation();
  const { confirm, dialog } = useAct();
  const change = (changed: AdminUser) =>
    users.change((items) => items.map((item) => (item.id === changed.id ? changed : item)));
  const ask = (kind: UserAct, user: AdminUser) => {
    const onDone = (changes: Partial<AdminUser>) => change({ ...user, ...changes });
    const question = userQuestion(kind, user, { t, onDone });
    const isOwnRemoval = kind === "removeAdmin" && user.id === userId;
    confirm({
      ...question,
      text: isOwnRemoval ? t("admin.users.removeSelfText") : question.text,
    });
  };
  return (
    <>
      <UserSearch {...search} />
      <PagedView
        paged={users}
        loading={<RowsLoading />}
        empty={{
          testId: "users-empty",
          icon: <UserX />,
          title: t("admin.users.none"),
          text: t("admin.users.noneText"),
        }}
      >
        {(items) => (
          <GridTable
            label={t("admin.tab.users")}
            testId="users-table"
            columns={`${COLUMNS} *:last:text-end`}
            heads={HEADS}
            className="grid gap-2 md:gap-0"
          >
            {items.map((user) => (
              <UserRow key={user.id} user={user} isOwn={user.id === userId} onAct={ask} />
            ))}
          </GridTable>
        )}
      </PagedView>
      {dialog}
    </>
  );
}

const HEADS: TextKey[] = [
  "admin.users.user",
  "auth.email",
  "people.followersWord",
  "people.followingWord",
  "admin.users.actions",
];

const COLUMNS =
  "md:grid md:grid-cols-[minmax(0,1.3fr)_minmax(0,1.2fr)_84px_84px_330px] md:items-center md:gap-3";

function UserSearch({ userChoice: value, setUserChoice: set }: SearchProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value.search);
  const settled = useDebounced(typed.trim());
  // Outside: the panel's lists, which load what the search asks for.
  useEffect(() => {
    if (settled !== value.search) set({ ...value, search: settled });
  }, [settled, value, set]);
  return (
    <search className="mb-4 flex flex-wrap gap-2">
      <SearchField
        className="min-w-56 flex-1 max-md:basis-full"
        value={typed}
        testId="user-search"
        onChange={setTyped}
      />
      <Select
        label={t("app.sortBy")}
        value={value.sort}
        testId="user-sort"
        className="flex-1 md:flex-none"
        options={Object.entries(SORTS).map(([key, text]) => ({ value: key, text: t(text) }))}
        onChange={(sort) => set({ ...value, sort: sort as UserSort })}
      />
      <Select
        label={t("app.show")}
        value={value.filter}
        testId="user-filter"
        className="flex-1 md:flex-none"
        options={Object.entries(FILTERS).map(([key, text]) => ({ value: key, text: t(text) }))}
        onChange={(filter) => set({ ...value, filter: filter as UserFilter })}
      />
    </search>
  );
}

interface UserRowProps {
  user: AdminUser;
  isOwn: boolean;
  onAct: (kind: UserAct, user: AdminUser) => void;
}

function UserRow({ user, isOwn, onAct }: UserRowProps) {
  const { t, i18n } = useTranslation();
  return (
    <GridRow
      data-testid="user-row"
      data-user-id={user.id}
      className={`${COLUMNS} rounded-2xl border border-line p-3 [contain-intrinsic-size:auto_64px] [content-visibility:auto] md:rounded-none md:border-x-0 md:border-t-0 md:px-0 md:py-2`}
    >
      <UserName user={user} isOwn={isOwn} />
      <GridCell className="block truncate text-sm text-muted max-md:mt-1">{user.email}</GridCell>
      <Count label={t("people.followersWord")} value={countText(user.followers, i18n.language)} />
      <Count label={t("people.followingWord")} value={countText(user.following, i18n.language)} />
      <UserActions user={user} onAct={onAct} />
    </GridRow>
  );
}

function UserName({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <GridCell className="block min-w-0">
      <Link
        to={paths.user(user.username)}
        className="target flex max-w-full items-center gap-3 rounded-xl font-semibold hover:underline"
      >
        <Avatar name={user.username} src={user.profileThumbnailUrl} size={40} />
        <span className="truncate">{user.username}</span>
      </Link>
      <span className="flex flex-wrap gap-1 ps-13 empty:hidden">
        {isOwn && <Tag>{t("admin.users.you")}</Tag>}
        {user.isAdmin && <Tag tone="accent">{t("people.admin")}</Tag>}
        {user.chatDisabled && <Tag>{t("admin.users.chatDisabled")}</Tag>}
        {user.isBlocked && (
          <Tag tone="danger" data-testid="suspended">
            {user.blockedUntil === 0
              ? t("admin.users.suspended")
              : t("admin.users.suspendedUntil", {
                  time: dateTimeText(user.blockedUntil, i18n.language),
                })}
          </Tag>
        )}
        {user.storage > 0 && (
          <Tag>{t("admin.users.storage", { size: bytesText(user.storage, i18n.language) })}</Tag>
        )}
      </span>
    </GridCell>
  );
}

function Count({ label, value }: { label: string; value: string }) {
  return (
    <GridCell className="text-sm tabular-nums max-md:mt-1 max-md:me-4 max-md:inline-block">
      {value} <span className="text-muted md:hidden">{label}</span>
    </GridCell>
  );
}

function UserActions({ user, onAct }: Pick<UserRowProps, "user" | "onAct">) {
  const { t } = useTranslation();
  const button = (kind: UserAct, testId: string, variant: "outline" | "ghost") => (
    <Button
      variant={variant}
      className="px-3.5"
      aria-label={t(`admin.users.${kind}Of`, { name: user.username })}
      data-testid={testId}
      onClick={() => onAct(kind, user)}
    >
      {t(`admin.users.${kind}`)}
    </Button>
  );
  return (
    <GridCell className="flex flex-wrap gap-2 max-md:mt-3 md:justify-end">
      {button(user.isAdmin ? "removeAdmin" : "makeAdmin", "toggle-admin", "outline")}
      {button(user.isBlocked ? "unsuspend" : "suspend", "toggle-suspended", "ghost")}
    </GridCell>
  );
}

type UserAct = keyof typeof ACTS;

const ACTS = {
  makeAdmin: { word: "make", done: "promoted", change: { isAdmin: true } },
  removeAdmin: { word: "remove", done: "demoted", change: { isAdmin: false } },
  suspend: { word: "suspend", done: "suspendedDone", change: { isBlocked: true } },
  unsuspend: { word: "unsuspend", done: "unsuspendedDone", change: { isBlocked: false } },
} as const;

interface Asking {
  t: TFunction;
  onDone: (changes: Partial<AdminUser>) => void;
}

export function userQuestion(kind: UserAct, user: Named, { t, onDone }: Asking) {
  const { word, done, change } = ACTS[kind];
  let days = 0;
  let blockedUntil = 0;
  const setDays = (now: number) => {
    days = now;
  };
  return {
    title: t(`admin.users.${word}Title`, { name: user.username }),
    text: t(`admin.users.${word}Text`),
    ...(kind === "suspend" && { more: <SuspensionTime onChange={setDays} /> }),
    action: t(`admin.users.${kind}`),
    run: (admin: AdminClient) => {
      if ("isAdmin" in change) return admin.setAdmin(user.id, change.isAdmin);
      blockedUntil = days === 0 ? 0 : Date.now() + days * DAY_MS;
      return admin.setSuspended(user.id, change.isBlocked, blockedUntil);
    },
    done: `admin.users.${done}` as const,
    failed: "isAdmin" in change ? "admin.users.adminFailed" : "admin.users.suspendFailed",
    failedBy: { last_admin: "admin.users.lastAdmin" },
    onDone: () => onDone({ ...change, ...("isBlocked" in change && { blockedUntil }) }),
  } as const;
}

const DAY_MS = 86_400_000;
/** 0: until somebody lifts it. */
const TIMES = [0, 1, 7, 30];

function SuspensionTime({ onChange }: { onChange: (days: number) => void }) {
  const { t } = useTranslation();
  const [days, setDays] = useState(0);
  return (
    <Select
      label={t("admin.users.suspendFor")}
      testId="suspension-time"
      value={String(days)}
      options={TIMES.map((count) => ({
        value: String(count),
        text: count === 0 ? t("admin.users.suspendOpen") : t("admin.users.days", { count }),
      }))}
      onChange={(value) => {
        setDays(Number(value));
        onChange(Number(value));
      }}
    />
  );
}
