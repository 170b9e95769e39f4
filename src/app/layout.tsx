/** What stands around every page: skip link, top bar, the notice that the session ended, footer, notifications. */
import { Suspense, useEffect, useState } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { useText } from "@/i18n/use-text";
import { useSessionCheck, useWipeOnSignOut } from "@/state/session";
import { Spinner } from "@/ui/spinner";
import { ErrorBoundary } from "./error-boundary";
import { Footer } from "./footer";
import { LateParts, NeedsLogin, WithoutStorage } from "./lazy-parts";
import { useRouteEffects } from "./route-effects";
import { TopBar } from "./top-bar";

export const MAIN_ID = "main";

export function Layout() {
  const { t } = useText();
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

/** Stepping from one medium to the next stays on one page, and so in full screen. */
const pageOf = (pathname: string): string => (pathname.startsWith("/view/") ? "/view/" : pathname);

function PageLoading() {
  const { t } = useText();
  return <Spinner label={t("app.loading")} className="w-full py-24" />;
}

/** Notifications, tooltips and the update prompt are not needed for the first picture. */
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
