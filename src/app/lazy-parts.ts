/** Everything loaded on demand; pages come with their texts. All but the panel is precached. */
import { type ComponentType, lazy } from "react";
import { loadLaterTexts } from "@/i18n/setup";
import { reloadOnce } from "@/state/reload-once";
import { lazily, lazyPart } from "@/ui/lazily";

/** The component `name` of a module; its texts are loaded in parallel. */
function part<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let loaded: { default: ComponentType<Props> } | undefined;
  const warm = async () => {
    const [file] = await Promise.all([load(), loadLaterTexts()]);
    loaded = { default: file[name] };
    return loaded;
  };
  // React looks once: what is there by then is drawn with the page, without waiting for a promise.
  // biome-ignore lint/suspicious/noThenProperty: a promise would be waited for.
  const there = () => loaded && { then: (use: (file: typeof loaded) => void) => use(loaded) };
  const page = lazy(() => (there() ?? warm()) as ReturnType<typeof warm>);
  return Object.assign(page, { warm, isWarm: () => loaded !== undefined });
}

export const LoginRoute = part(() => import("@/routes/account-routes"), "LoginRoute");
export const SignupRoute = part(() => import("@/routes/account-routes"), "SignupRoute");
export const MailRoute = part(() => import("@/routes/mail-route"), "MailRoute");
export const UploadRoute = part(() => import("@/routes/upload-route"), "UploadRoute");
export const OutboxRoute = part(() => import("@/routes/outbox-route"), "OutboxRoute");
export const ChatsRoute = part(() => import("@/routes/chat-routes"), "ChatsRoute");
export const ChatRoute = part(() => import("@/routes/chat-routes"), "ChatRoute");
export const ViewRoute = part(() => import("@/routes/view-route"), "ViewRoute");
export const UserRoute = part(() => import("@/routes/user-route"), "UserRoute");
export const ProfileRoute = part(() => import("@/routes/profile-route"), "ProfileRoute");
export const LegalRoute = part(() => import("@/routes/legal-route"), "LegalRoute");
export const NotFoundRoute = part(() => import("@/routes/not-found-route"), "NotFoundRoute");
export const AdminRoute = part(() => import("@/routes/admin-route"), "AdminRoute");

/** The pages that are a tap away, in the order in which they are read ahead. */
const VISITORS_PAGES = [ViewRoute, UserRoute];
export const NEAR_PAGES = {
  visitors: VISITORS_PAGES,
  members: [...VISITORS_PAGES, ChatsRoute, ChatRoute, ProfileRoute, UploadRoute],
};

/** What stands around every page: where one of them does not come, the page stays. */
const around = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) =>
  lazyPart(async () => {
    const [file] = await Promise.all([load(), loadLaterTexts()]);
    return file;
  }, name);

export const WaitingMark = around(() => import("@/features/outbox/waiting-mark"), "WaitingMark");
export const ProfileMenu = around(() => import("@/features/auth/profile-menu"), "ProfileMenu");
export const ChatsButton = around(() => import("@/features/chat/chats-button"), "ChatsButton");
export const LanguageChoice = around(() => import("./late-parts"), "LanguageChoice");
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
