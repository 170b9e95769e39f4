/** What stands around every page: skip link, top bar, the notice that the session ended, footer, notifications. */
import { lazy, Suspense, useEffect, useState } from "react";
import { Link, Outlet } from "react-router-dom";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { useWipeOnSignOut } from "@/state/keep-first-screen";
import { useSession, useSessionCheck } from "@/state/use-session";
import { buttonClasses } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import { ErrorBoundary } from "./error-boundary";
import { Footer } from "./footer";
import { useRouteEffects } from "./route-effects";
import { TopBar } from "./top-bar";

const LateParts = lazy(() => import("./late-parts").then((file) => ({ default: file.LateParts })));

export const MAIN_ID = "main";

export function Layout() {
  const { t } = useText();
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
      <NeedsLogin />
      <main id={MAIN_ID} tabIndex={-1} className="shell-main">
        <ErrorBoundary>
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

function PageLoading() {
  const { t } = useText();
  return <Spinner label={t("app.loading")} className="w-full py-24" />;
}

function NeedsLogin() {
  const { t } = useText();
  const session = useSession();
  if (session.state !== "signed-in" || !session.needsLogin) return null;
  return (
    <div role="status" className="border-b border-line bg-surface" data-testid="needs-login">
      <div className="mx-auto flex max-w-[1060px] flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm">
        <p>{t("auth.needsLogin")}</p>
        <Link to={paths.login} className={buttonClasses({ variant: "solid" })}>
          {t("auth.signIn")}
        </Link>
      </div>
    </div>
  );
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
