/** The top bar of every page. What needs Radix loads later, into a placeholder of the same size. */
import { Moon, Sun } from "lucide-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { SessionState } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useProductName } from "@/state/page";
import { usePreferences } from "@/state/preferences";
import { useSession } from "@/state/session";
import { Avatar } from "@/ui/avatar";
import { EyeMark } from "@/ui/eye-mark";
import { ChatsButton, ProfileMenu, WaitingMark } from "./lazy-parts";

const CORNER_LINK =
  "target flex items-center rounded-full text-[14.5px] font-semibold whitespace-nowrap";

export function TopBar() {
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
            <>
              <span className="shell-icon" />
              <span className="shell-icon">
                <Avatar name={session.user.username} size={32} />
              </span>
            </>
          }
        >
          <ChatsButton />
          <ProfileMenu user={session.user} />
        </Suspense>
      );
    case "signed-out":
      return (
        // As wide as .shell-session, its placeholder while the session is loading.
        <nav
          aria-label={t("nav.main")}
          className="flex min-w-[152px] shrink-0 items-center justify-end md:min-w-[164px]"
        >
          <Link to={paths.login} className={CORNER_LINK} data-testid="login-link">
            <span className="px-2 md:px-3">{t("nav.login")}</span>
          </Link>
          <Link to={paths.signup} className={CORNER_LINK} data-testid="signup-link">
            <span className="flex h-9 items-center rounded-full bg-foreground px-3.5 text-background md:px-4">
              {t("nav.signUp")}
            </span>
          </Link>
        </nav>
      );
  }
}

function ThemeToggle() {
  const { t } = useTranslation();
  const theme = usePreferences((now) => now.theme);
  const toggle = usePreferences((now) => now.toggleTheme);
  const label = theme === "dark" ? t("nav.toLight") : t("nav.toDark");
  return (
    <button
      type="button"
      className="shell-icon"
      aria-label={label}
      title={label}
      onClick={toggle}
      data-testid="toggle-theme"
    >
      {theme === "dark" ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
    </button>
  );
}
