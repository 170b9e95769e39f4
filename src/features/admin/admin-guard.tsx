/**
 * Lets in whom the server calls an admin (specification §2 "/admin"): its no is a toast and the way home; where it said neither, a card
 * stands that opens nothing (resolutions, "Not found": a definite answer redirects, a failed one shows a card).
 */
import { ShieldOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link, Navigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { useAdminAccess } from "@/state/admin-access";
import { showToast } from "@/state/toasts";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Spinner } from "@/ui/spinner";

export function AdminGuard({ children }: { children: ReactNode }) {
  const { t } = useText();
  const { access, retry } = useAdminAccess();
  switch (access.state) {
    case "checking":
      return <Spinner label={t("admin.guard.checking")} className="w-full py-24" />;
    case "allowed":
      return children;
    case "denied":
      return <Denied />;
    case "rejected":
      return <Navigate to={paths.home} replace />;
    case "unknown":
      return <UnknownCard offline={access.code !== "server"} onRetry={retry} />;
  }
}

function Denied() {
  // Outside: the notification area, which outlives this page.
  useEffect(() => {
    showToast({
      title: { key: "admin.guard.denied" },
      description: { key: "admin.guard.deniedText" },
      variant: "destructive",
    });
  }, []);
  return <Navigate to={paths.home} replace />;
}

function UnknownCard({ offline, onRetry }: { offline: boolean; onRetry: () => void }) {
  const { t } = useText();
  return (
    <EmptyState
      page
      testId="admin-denied"
      icon={<ShieldOff />}
      title={<Say k="admin.guard.denied" />}
      text={
        <>
          <Say k="admin.guard.cardText" />
          <span className="mt-3 block text-sm">
            {t(offline ? "admin.guard.offline" : "admin.guard.failed")}
          </span>
        </>
      }
    >
      <Link to={paths.home} className={buttonClasses({ variant: "accent" })}>
        <Say k="admin.guard.home" />
      </Link>
      <Button onClick={onRetry}>{t("app.retry")}</Button>
    </EmptyState>
  );
}
