/**
 * Everything that is loaded on demand: the pages, with their texts, and the parts of the layout
 * that follow the first paint. All of it is precached, so that it opens offline.
 */
import { type ComponentType, lazy } from "react";
import { loadAdminTexts, loadLaterTexts } from "@/i18n/setup";

/** `load` imports the component; its texts are loaded in parallel. */
const withTexts = <P>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), loadLaterTexts()]);
    return { default: component };
  });

export const LoginRoute = withTexts(() =>
  import("@/routes/login-route").then((file) => file.LoginRoute),
);
export const SignupRoute = withTexts(() =>
  import("@/routes/signup-route").then((file) => file.SignupRoute),
);
export const UploadRoute = withTexts(() =>
  import("@/routes/upload-route").then((file) => file.UploadRoute),
);
export const OutboxRoute = withTexts(() =>
  import("@/routes/outbox-route").then((file) => file.OutboxRoute),
);
export const ChatsRoute = withTexts(() =>
  import("@/routes/chats-route").then((file) => file.ChatsRoute),
);
export const ChatRoute = withTexts(() =>
  import("@/routes/chat-route").then((file) => file.ChatRoute),
);
export const ViewRoute = withTexts(() =>
  import("@/routes/view-route").then((file) => file.ViewRoute),
);
export const UserRoute = withTexts(() =>
  import("@/routes/user-route").then((file) => file.UserRoute),
);
export const ProfileRoute = withTexts(() =>
  import("@/routes/profile-route").then((file) => file.ProfileRoute),
);
export const LegalRoute = withTexts(() =>
  import("@/routes/legal-route").then((file) => file.LegalRoute),
);
export const NotFoundRoute = withTexts(() =>
  import("@/routes/not-found-route").then((file) => file.NotFoundRoute),
);
export const AdminRoute = withTexts(async () => {
  const [file] = await Promise.all([import("@/routes/admin-route"), loadAdminTexts()]);
  return file.AdminRoute;
});

// Parts of the layout that are loaded after the first paint.
export const WaitingMark = withTexts(() =>
  import("@/features/outbox/waiting-mark").then((file) => file.WaitingMark),
);
export const ProfileMenu = withTexts(() =>
  import("@/features/auth/profile-menu").then((file) => file.ProfileMenu),
);
export const ChatsButton = withTexts(() =>
  import("@/features/chat/chats-button").then((file) => file.ChatsButton),
);
export const LateParts = withTexts(() => import("./late-parts").then((file) => file.LateParts));
export const WithoutStorage = withTexts(() =>
  import("./late-parts").then((file) => file.WithoutStorage),
);
export const NeedsLogin = withTexts(() => import("./late-parts").then((file) => file.NeedsLogin));
