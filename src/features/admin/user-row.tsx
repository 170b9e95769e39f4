/** One account: a row beside others, on a phone a card. */
import { Link } from "react-router-dom";
import type { AdminUser } from "@/data/admin/admin-client";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { countText } from "./admin-times";
import { Tag } from "./tag";
import type { UserAct } from "./user-act-dialog";

export const USER_COLUMNS =
  "md:grid md:grid-cols-[minmax(0,1.3fr)_minmax(0,1.2fr)_84px_84px_330px] md:items-center md:gap-3";

interface UserRowProps {
  user: AdminUser;
  isOwn: boolean;
  onAct: (act: UserAct) => void;
}

export function UserRow({ user, isOwn, onAct }: UserRowProps) {
  const { t, language } = useText();
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
      <Count label={t("admin.users.followers")} value={countText(user.followers, language)} />
      <Count label={t("admin.users.following")} value={countText(user.following, language)} />
      <UserActions user={user} onAct={onAct} />
    </div>
  );
}

function UserName({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const { t } = useText();
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
  const { t } = useText();
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
