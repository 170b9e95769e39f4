/** The top bar of every page. What needs Radix comes a moment later, in a chunk of its own, at the same size. */
import { lazy, Suspense } from "react";
import { Link } from "react-router-dom";
import type { SessionState } from "@/data/client-api";
import { paths } from "@/domain/paths";
import { ThemeToggle } from "@/features/settings/theme-toggle";
import { useText } from "@/i18n/use-text";
import { useProductName } from "@/state/use-product-name";
import { useSession } from "@/state/use-session";
import { Avatar } from "@/ui/avatar";
import { buttonClasses } from "@/ui/button";
import { EyeMark } from "@/ui/eye-mark";

const WaitingMark = lazy(() =>
  import("@/features/outbox/waiting-mark").then((file) => ({ default: file.WaitingMark })),
);
const ProfileMenu = lazy(() =>
  import("@/features/auth/profile-menu").then((file) => ({ default: file.ProfileMenu })),
);

export function TopBar() {
  const { t } = useText();
  const name = useProductName();
  const session = useSession();
  return (
    <header className="shell-top">
      <Link to={paths.home} className="shell-brand" aria-label={t("app.home", { name })}>
        <EyeMark />
        <span>{name}</span>
      </Link>
      <Suspense fallback={null}>
        <WaitingMark />
      </Suspense>
      <ThemeToggle />
      <SessionCorner session={session} />
    </header>
  );
}

function SessionCorner({ session }: { session: SessionState }) {
  const { t } = useText();
  switch (session.state) {
    case "loading":
      return (
        <span className="shell-session" role="status" data-testid="session-loading">
          <i className="animate-pulse-soft" />
          <span className="sr-only">{t("app.loading")}</span>
        </span>
      );
    case "signed-in":
      return (
        <Suspense
          fallback={
            <span className="shell-icon">
              <Avatar name={session.user.username} className="size-8 text-[32px]" />
            </span>
          }
        >
          <ProfileMenu username={session.user.username} />
        </Suspense>
      );
    case "signed-out":
      return (
        <nav aria-label={t("nav.main")} className="flex shrink-0 items-center gap-1">
          <Link
            to={paths.login}
            className={`${buttonClasses({ variant: "ghost" })} px-3!`}
            data-testid="login-link"
          >
            {t("nav.login")}
          </Link>
          <Link
            to={paths.signup}
            className={`${buttonClasses({ variant: "solid" })} px-4!`}
            data-testid="signup-link"
          >
            {t("nav.signUp")}
          </Link>
        </nav>
      );
  }
}
