/** Everything loaded on demand; pages come with their texts. All of it is precached. */
import { type ComponentType, lazy } from "react";
import { loadAdminTexts, loadLaterTexts } from "@/i18n/setup";

/** The component `name` of a module; its texts are loaded in parallel. */
const part = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) =>
  lazy(async () => {
    const [file] = await Promise.all([load(), loadLaterTexts()]);
    return { default: file[name] };
  });

export const LoginRoute = part(() => import("@/routes/account-routes"), "LoginRoute");
export const SignupRoute = part(() => import("@/routes/account-routes"), "SignupRoute");
export const UploadRoute = part(() => import("@/routes/upload-route"), "UploadRoute");
export const OutboxRoute = part(() => import("@/routes/outbox-route"), "OutboxRoute");
export const ChatsRoute = part(() => import("@/routes/chat-routes"), "ChatsRoute");
export const ChatRoute = part(() => import("@/routes/chat-routes"), "ChatRoute");
export const ViewRoute = part(() => import("@/routes/view-route"), "ViewRoute");
export const UserRoute = part(() => import("@/routes/user-route"), "UserRoute");
export const ProfileRoute = part(() => import("@/routes/profile-route"), "ProfileRoute");
export const LegalRoute = part(() => import("@/routes/legal-route"), "LegalRoute");
export const NotFoundRoute = part(() => import("@/routes/not-found-route"), "NotFoundRoute");
export const AdminRoute = part(async () => {
  const [file] = await Promise.all([import("@/routes/admin-route"), loadAdminTexts()]);
  return { AdminRoute: file.AdminRoute };
}, "AdminRoute");

export const WaitingMark = part(() => import("@/features/outbox/waiting-mark"), "WaitingMark");
export const ProfileMenu = part(() => import("@/features/auth/profile-menu"), "ProfileMenu");
export const ChatsButton = part(() => import("@/features/chat/chats-button"), "ChatsButton");
export const LateParts = part(() => import("./late-parts"), "LateParts");
export const WithoutStorage = part(() => import("./late-parts"), "WithoutStorage");
export const NeedsLogin = part(() => import("./late-parts"), "NeedsLogin");
