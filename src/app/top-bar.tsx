/** The top bar of every page. What needs Radix loads later, into a placeholder of the same size. */
import { Moon, Plus, Sun } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { SessionState } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useProductName } from "@/state/page";
import { usePreferences } from "@/state/preferences";
import { useSession } from "@/state/session";
import { EyeMark } from "@/ui/eye-mark";
import { useWide } from "@/ui/use-wide";
import { BellButton, ChatsButton, ProfileMenu, WaitingMark } from "./lazy-parts";

const CORNER_LINK =
  "target flex items-center rounded-full text-[0.90625rem] font-semibold whitespace-nowrap";

export function TopBar() {
  const { t } = useTranslation();
  const name = useProductName();
  const session = useSession();
  // Outside: the mark by which the style sheet keeps room for the corner, from the first paint on.
  useEffect(() => {
    if (session.state !== "loading")
      document.documentElement.dataset["session"] = session.state === "signed-in" ? "in" : "out";
  }, [session.state]);
  return (
    <header className="shell-top">
      <Link to={paths.home} className="shell-brand" aria-label={t("app.home", { name })}>
        <EyeMark />
        <span>{name}</span>
      </Link>
      <WaitingMark />
      <ThemeToggle />
      <SessionCorner session={session} />
    </header>
  );
}

function SessionCorner({ session }: { session: SessionState }) {
  const { t } = useTranslation();
  const wide = useWide();
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
        <>
          {wide && <UploadLink />}
          <BellButton />
          <ChatsButton />
          <ProfileMenu user={session.user} />
        </>
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

/** On every page within a few stops of its top; a phone has it in the bar at its bottom. */
function UploadLink() {
  const { t } = useTranslation();
  const isInGallery = useLocation().pathname === paths.home;
  return (
    <Link
      to={paths.upload}
      aria-label={t("gallery.upload")}
      title={t("gallery.upload")}
      data-testid={isInGallery ? "upload-button" : "upload-link"}
      className="shell-icon shell-upload"
    >
      <span className="shell-plus">
        <Plus aria-hidden="true" />
        <b>{t("gallery.upload")}</b>
      </span>
    </Link>
  );
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
