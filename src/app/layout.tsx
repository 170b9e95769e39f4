/** The frame of every page: skip link, top bar, notices, error boundary, footer, notifications. */
import { Component, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useProductName } from "@/state/page";
import { useSessionCheck, useWipeOnSignOut } from "@/state/session";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/loading";
import { LateParts, NeedsLogin, WithoutStorage } from "./lazy-parts";
import { useRouteEffects } from "./route-effects";
import { TopBar } from "./top-bar";

const MAIN_ID = "main";

export function Layout() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  useSessionCheck();
  useWipeOnSignOut();
  useRouteEffects();
  return (
    <div className="shell-page">
      <a
        href={`#${MAIN_ID}`}
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-full focus:bg-foreground focus:px-5 focus:py-3 focus:text-background"
      >
        {t("app.skip")}
      </a>
      <TopBar />
      <Suspense fallback={null}>
        <NeedsLogin />
        <WithoutStorage />
      </Suspense>
      <main id={MAIN_ID} tabIndex={-1} className="shell-main">
        <ErrorBoundary key={pageOf(pathname)}>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <AfterFirstPaint />
    </div>
  );
}

/** All media share one key, so that stepping from one to the next keeps full screen. */
const pageOf = (pathname: string): string => (pathname.startsWith("/view/") ? "/view/" : pathname);

function PageLoading() {
  const { t } = useTranslation();
  return <Spinner label={t("app.loading")} className="w-full py-24" />;
}

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
    <Suspense fallback={null}>
      <LateParts />
    </Suspense>
  );
}

/** Catches what a page throws while rendering, so that the top bar and the queue stay usable. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Crash /> : this.props.children;
  }
}

function Crash() {
  const { t } = useTranslation();
  return (
    <div role="alert" data-testid="crash" className="mx-auto max-w-sm py-20 text-center">
      <h1 className="text-lg font-bold">{t("crash.title")}</h1>
      <p className="mt-2 mb-5 text-muted">{t("crash.text")}</p>
      <Button variant="accent" onClick={() => location.reload()}>
        {t("crash.reload")}
      </Button>
    </div>
  );
}

function Footer() {
  const { t } = useTranslation();
  const name = useProductName();
  return (
    <footer className="border-t border-line pt-3 pb-[calc(12px+env(safe-area-inset-bottom))] text-sm text-muted">
      <div className="mx-auto flex max-w-[1060px] flex-wrap pr-[max(12px,env(safe-area-inset-right))] pl-[max(12px,env(safe-area-inset-left))] md:pr-[max(24px,env(safe-area-inset-right))] md:pl-[max(24px,env(safe-area-inset-left))] items-center justify-between gap-x-6">
        <p className="py-2.5">{t("nav.copyright", { year: new Date().getFullYear(), name })}</p>
        <nav aria-label={t("nav.legal")} className="-mx-2 flex flex-wrap">
          <Link to={paths.terms} className="target flex items-center px-2 hover:text-foreground">
            {t("nav.terms")}
          </Link>
          <Link to={paths.privacy} className="target flex items-center px-2 hover:text-foreground">
            {t("nav.privacy")}
          </Link>
        </nav>
      </div>
    </footer>
  );
}
