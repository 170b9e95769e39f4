/** Who may see the admin panel. It is put aside on every device, the panel where it was opened. */
import { ShieldOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useAdminAccess } from "@/state/admin-access";
import { showFailure } from "@/state/toasts";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Spinner } from "@/ui/loading";

/** Admits confirmed admins. A refusal redirects home, no answer shows a card (specification §2). */
export function AdminGuard({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
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
  useEffect(() => showFailure("admin.guard.denied", "admin.guard.deniedText"), []);
  return <Navigate to={paths.home} replace />;
}

function UnknownCard({ offline, onRetry }: { offline: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
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
