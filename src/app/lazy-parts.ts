/** What the layout loads after the first picture. */
import { withTexts } from "./lazy-routes";

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
  import("./without-storage").then((file) => file.WithoutStorage),
);
export const NeedsLogin = withTexts(() => import("./needs-login").then((file) => file.NeedsLogin));
