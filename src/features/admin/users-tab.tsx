/** Benutzer: search, sort, and the three switches of an account. Pages of 50; rows out of sight cost nothing. */
import { UserX } from "lucide-react";
import { useEffect, useState } from "react";
import type { AdminUser, UserFilter, UserSort } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import { useText } from "@/i18n/use-text";
import type { PagedQuery } from "@/state/use-query";
import { EmptyState } from "@/ui/empty-state";
import { Select } from "@/ui/select";
import { AskedView, MoreRows, RowsLoading } from "./asked-view";
import { SearchBox } from "./search-box";
import type { Choice, UserChoice } from "./use-admin-lists";
import { type UserAct, UserActDialog } from "./user-act-dialog";
import { USER_COLUMNS, UserRow } from "./user-row";

/** After the last key, milliseconds. */
const DEBOUNCE_MS = 250;

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
  const { t } = useText();
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
  const { t } = useText();
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
  const { t } = useText();
  const { value, set } = choice;
  const [typed, setTyped] = useState(value.search);
  // Outside: the clock. A word is asked for once, and not letter by letter.
  useEffect(() => {
    if (typed.trim() === value.search) return;
    const timer = setTimeout(() => set({ ...value, search: typed.trim() }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, set]);
  return (
    <search className="mb-4 flex flex-wrap gap-2">
      <SearchBox
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
