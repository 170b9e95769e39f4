/** The frame of every page: skip link, top bar, notices, error boundary, footer, notifications. */
import { Component, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router-dom";
import { paths } from "@/domain/paths";
import { isFailedImport } from "@/lib/failed-part";
import { useProductName } from "@/state/page";
import { type ThemeChoice, usePreferences } from "@/state/preferences";
import { reloadOnce } from "@/state/reload-once";
import { useSession, useSessionCheck, useWipeOnSignOut } from "@/state/session";
import { Button } from "@/ui/button";
import { PageLoading } from "@/ui/loading";
import {
  BottomBar,
  LanguageChoice,
  LateParts,
  NEAR_PAGES,
  NeedsLogin,
  NextPage,
  WithoutStorage,
} from "./lazy-parts";
import { useRouteEffects } from "./route-effects";
import { TopBar } from "./top-bar";

const MAIN_ID = "main";

export function Layout() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const session = useSession();
  useSessionCheck();
  useWipeOnSignOut();
  useRouteEffects();
  return (
    <div className="shell-page">
      <a
        href={`#${MAIN_ID}`}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:start-2 focus:z-50 focus:rounded-full focus:bg-foreground focus:px-5 focus:py-3 focus:text-background"
      >
        {t("app.skip")}
      </a>
      <TopBar />
      {session.state === "signed-in" && (
        <BottomBar key={session.user.id} isGone={pathname.startsWith(paths.chat(""))} />
      )}
      <NeedsLogin />
      <WithoutStorage />
      <main id={MAIN_ID} tabIndex={-1} className="shell-main">
        <ErrorBoundary key={pageOf(pathname)}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <Footer />
      <AfterFirstPaint />
    </div>
  );
}

/** All media share one key, so that stepping from one to the next keeps full screen. */
const pageOf = (pathname: string): string => (pathname.startsWith("/view/") ? "/view/" : pathname);

/** Notifications and the update prompt are not needed for the first paint. */
function AfterFirstPaint() {
  const [painted, setPainted] = useState(false);
  // Outside: the browser's painting.
  useEffect(() => {
    const id = requestAnimationFrame(() => setPainted(true));
    return () => cancelAnimationFrame(id);
  }, []);
  if (!painted) return null;
  return (
    <>
      <LateParts />
      <NextPage {...NEAR_PAGES} />
    </>
  );
}

/** Catches what a page throws while rendering, so that the top bar and the queue stay usable. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? "nothing" };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return isFailedImport(error) ? <PageNotLoaded /> : <Crash />;
  }
}

/**
 * A page that did not come: one that was never opened here, or, where there is a network, mostly
 * one of a version that the server no longer has.
 */
function PageNotLoaded() {
  const [isOffline] = useState(!navigator.onLine);
  const [stays, setStays] = useState(isOffline);
  // Outside: the page itself, which may be reloaded.
  useEffect(() => {
    let current = true;
    if (!isOffline) void reloadOnce().then((reloads) => current && setStays(!reloads));
    return () => {
      current = false;
    };
  }, [isOffline]);
  return stays ? <Crash isOffline={isOffline} /> : <PageLoading />;
}

function Crash({ isOffline = false }) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      data-testid="crash"
      data-passing=""
      className="mx-auto max-w-sm py-20 text-center"
    >
      <h1 className="text-lg font-bold">{t(isOffline ? "app.offline" : "crash.title")}</h1>
      <p className="mt-2 mb-5 text-muted">{t("crash.text")}</p>
      <Button variant="accent" onClick={() => location.reload()}>
        {t("crash.reload")}
      </Button>
    </div>
  );
}

const THEMES = ["system", "light", "dark"] as const;

/** The browser's own control, because it stands in what every page loads first. */
function ThemeSelect() {
  const { t } = useTranslation();
  const choice = usePreferences((now) => now.themeChoice);
  const setTheme = usePreferences((now) => now.setTheme);
  return (
    <label className="target flex items-center gap-2">
      {t("nav.theme")}
      <select
        className="min-h-8 rounded-lg border border-line-strong bg-surface px-2 text-foreground"
        data-testid="theme-select"
        value={choice}
        onChange={(event) => setTheme(event.target.value as ThemeChoice)}
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {t(`nav.themeOf.${theme}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Footer() {
  const { t } = useTranslation();
  const name = useProductName();
  const session = useSession();
  return (
    <footer className="border-t border-line pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] text-sm text-muted">
      <div className="mx-auto flex max-w-[1060px] flex-wrap pr-[max(12px,env(safe-area-inset-right))] pl-[max(12px,env(safe-area-inset-left))] md:pr-[max(24px,env(safe-area-inset-right))] md:pl-[max(24px,env(safe-area-inset-left))] items-center justify-between gap-x-6">
        <p className="py-2.5">
          {t("nav.copyright", { year: String(new Date().getFullYear()), name })}
        </p>
        <ThemeSelect />
        <nav aria-label={t("nav.legal")} className="-mx-2 flex flex-wrap">
          <Link to={paths.terms} className="target flex items-center px-2 hover:text-foreground">
            {t("nav.terms")}
          </Link>
          <Link to={paths.privacy} className="target flex items-center px-2 hover:text-foreground">
            {t("nav.privacy")}
          </Link>
          {/* Whoever is signed in is known at once: what is still asked is answered by nobody. */}
          {session.state !== "signed-in" && <LanguageChoice />}
        </nav>
      </div>
    </footer>
  );
}
