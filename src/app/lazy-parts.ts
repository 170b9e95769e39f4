/** The pages that are loaded when first opened, with their texts. All of them are precached, so that they open offline. */
import { type ComponentType, lazy } from "react";
import { loadLaterTexts } from "@/i18n/setup";

/** `load` brings the component; its sentences come beside it. */
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
export const AdminRoute = withTexts(() =>
  import("@/routes/admin-route").then((file) => file.AdminRoute),
);

/** What the layout loads after the first picture. */

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
