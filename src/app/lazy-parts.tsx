/** Everything loaded on demand; pages come with their texts. All but the panel is precached. */
import type { ComponentType, ReactNode } from "react";
import { loadExploreTexts, loadLaterTexts, loadNewsTexts } from "@/i18n/setup";
import { reloadOnce } from "@/state/reload-once";
import { Avatar } from "@/ui/avatar";
import { lazily, lazyPage } from "@/ui/lazily";
import { PageLoading } from "@/ui/loading";

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/** The module, the texts of all that is loaded later and those of its own, in parallel. */
function withTexts<Module>(
  load: () => Promise<Module>,
  own?: () => Promise<void>,
): () => Promise<Module> {
  return async () => {
    const [file] = await Promise.all([load(), loadLaterTexts(), own?.()]);
    return file;
  };
}

function part<Name extends string, Props extends object>(load: Load<Name, Props>, name: Name) {
  return lazyPage(withTexts(load), name, PageLoading);
}

export const LoginRoute = part(() => import("@/routes/account-routes"), "LoginRoute");
export const SignupRoute = part(() => import("@/routes/account-routes"), "SignupRoute");
export const MailRoute = part(() => import("@/routes/mail-route"), "MailRoute");
export const UploadRoute = part(() => import("@/routes/upload-route"), "UploadRoute");
export const OutboxRoute = part(() => import("@/routes/outbox-route"), "OutboxRoute");
export const DeviceRoute = part(() => import("@/routes/device-route"), "DeviceRoute");
const loadNotifications = withTexts(() => import("@/routes/notifications-route"), loadNewsTexts);
export const NotificationsRoute = lazyPage(loadNotifications, "NotificationsRoute", PageLoading);
const loadExplore = withTexts(() => import("@/routes/explore-route"), loadExploreTexts);
export const ExploreRoute = lazyPage(loadExplore, "ExploreRoute", PageLoading);
export const ChatsRoute = part(() => import("@/routes/chat-routes"), "ChatsRoute");
export const ChatRoute = part(() => import("@/routes/chat-routes"), "ChatRoute");
export const ViewRoute = part(() => import("@/routes/view-route"), "ViewRoute");
export const TagRoute = part(() => import("@/routes/tag-route"), "TagRoute");
export const UserRoute = part(() => import("@/routes/user-route"), "UserRoute");
export const ProfileRoute = part(() => import("@/routes/profile-route"), "ProfileRoute");
export const LegalRoute = part(() => import("@/routes/legal-route"), "LegalRoute");
export const NotFoundRoute = part(() => import("@/routes/not-found-route"), "NotFoundRoute");
export const OpenRoute = part(() => import("@/routes/open-route"), "OpenRoute");
export const AdminRoute = part(() => import("@/routes/admin-route"), "AdminRoute");

/** The pages that are a tap away, in the order in which they are read ahead. */
const VISITORS_PAGES = [ViewRoute, UserRoute];
export const NEAR_PAGES = {
  visitors: VISITORS_PAGES,
  members: [
    ...VISITORS_PAGES,
    ChatsRoute,
    ChatRoute,
    ProfileRoute,
    UploadRoute,
    NotificationsRoute,
  ],
};

/** What stands around every page: where one of them does not come, the page stays. */
function around<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
  loading?: (props: Props) => ReactNode,
) {
  return lazily(withTexts(load), name, loading);
}

export const WaitingMark = around(() => import("@/features/outbox/waiting-mark"), "WaitingMark");
export const ProfileMenu = around(
  () => import("@/features/auth/profile-menu"),
  "ProfileMenu",
  ({ user }) => (
    <span className="shell-icon">
      <Avatar name={user.username} size={32} />
    </span>
  ),
);
export const ChatsButton = around(
  () => import("@/features/chat/chats-button"),
  "ChatsButton",
  () => <span className="shell-icon" />,
);
export const BellButton = around(
  () => import("@/features/notifications/bell-button"),
  "BellButton",
  () => <span className="shell-icon" />,
);
export const BottomBar = around(
  () => import("./bottom-bar"),
  "BottomBar",
  // A conversation has the bar's room for itself.
  ({ isGone }) => <div className="shell-dock" data-gone={isGone} data-pending="" />,
);
export const LanguageChoice = around(
  () => import("./late-parts"),
  "LanguageChoice",
  () => (
    <>
      <span className="target hidden w-40 md:inline-block" />
      <span className="target w-29" />
    </>
  ),
);
export const LateParts = around(
  () =>
    import("./late-parts").catch(async (error: unknown) => {
      // What notices a part that did not come is in this one.
      await reloadOnce();
      throw error;
    }),
  "LateParts",
);
export const WithoutStorage = around(() => import("./late-parts"), "WithoutStorage");
export const NeedsLogin = around(() => import("./late-parts"), "NeedsLogin");
/** Nobody waits for it, and nobody is told where it does not come: pages change without it. */
export const NextPage = lazily(
  () => import("./next-page").catch(() => ({ NextPage: () => null })),
  "NextPage",
);
